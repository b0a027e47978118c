/* expect: holds
 * what: _Generic, compound literals, designated initialisers, static assertions, alignment
 */
#include <assert.h>
#include <stdalign.h>
#include <stdint.h>

#define name(x) _Generic((x), int: 1, long: 2, double: 3, char *: 4, default: 5)

_Static_assert(sizeof(int) == 4, "int");

struct point { int x, y; };

static inline int length(const struct point *p)
{
	return p->x + p->y;
}

int main(void)
{
	assert(name(1) == 1 && name(1L) == 2 && name(1.0) == 3 && name((char *)0) == 4 && name(1.0f) == 5);
	assert(length(&(struct point){.y = 2, .x = 1}) == 3);
	int a[6] = {[4] = 7, 8, [1] = 3};
	assert(a[0] == 0 && a[1] == 3 && a[2] == 0 && a[4] == 7 && a[5] == 8);
	struct { struct point p[2]; char s[4]; } t = {.p[1].y = 9, .s = "ab"};
	assert(t.p[0].x == 0 && t.p[1].y == 9 && t.s[1] == 'b' && t.s[3] == 0);
	int *q = (int[]){4, 5, 6};
	assert(q[2] == 6);
	alignas(64) char aligned[3] = "x";
	assert((uintptr_t)aligned % 64 == 0 && alignof(double) == 8);
	struct { union { int i; float f; }; int z; } u = {.i = 3};
	assert(u.i == 3 && u.z == 0);
	return 0;
}
