/* expect: holds
 * what: structures as arguments, results and values: small, large, mixed
 */
#include <assert.h>

struct one { char c; };
struct small { int a, b; };
struct three { char bytes[3]; };
struct mixed { float f; int i; };
struct doubles { double x, y; };
struct both { double d; long l; };
struct large { long a[6]; };
struct nested { struct small s[2]; struct one o; };

static struct one next(struct one x) { x.c++; return x; }
static struct small swap(struct small x) { return (struct small){x.b, x.a}; }
static struct three turn(struct three x) { return (struct three){{x.bytes[2], x.bytes[0], x.bytes[1]}}; }
static struct mixed mix(struct mixed x) { return (struct mixed){(float)x.i, (int)x.f}; }
static struct doubles turned(struct doubles x) { return (struct doubles){-x.y, x.x}; }
static struct both cross(struct both x) { return (struct both){(double)x.l, (long)x.d}; }
static struct large fill(struct large x, int n) { for (int i = 0; i < 6; i++) x.a[i] += n; return x; }

int main(void)
{
	assert(next((struct one){'a'}).c == 'b');
	struct small s = swap((struct small){1, 2});
	assert(s.a == 2 && s.b == 1);
	struct three t = turn((struct three){{1, 2, 3}});
	assert(t.bytes[0] == 3 && t.bytes[1] == 1 && t.bytes[2] == 2);
	struct mixed m = mix((struct mixed){1.5f, 7});
	assert(m.f == 7.0f && m.i == 1);
	struct doubles d = turned((struct doubles){1, 2});
	assert(d.x == -2 && d.y == 1);
	struct both b = cross((struct both){2.5, 9});
	assert(b.d == 9.0 && b.l == 2);
	struct large l = {{1, 2, 3, 4, 5, 6}}, k = fill(l, 10);
	assert(l.a[0] == 1 && k.a[0] == 11 && k.a[5] == 16);
	struct nested n = {{{1, 2}, {3, 4}}, {'x'}}, o = n;
	o.s[1].a = 9;
	assert(n.s[1].a == 3 && o.s[1].b == 4 && o.o.c == 'x');
	return 0;
}
