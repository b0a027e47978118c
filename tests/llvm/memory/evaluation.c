/* expect: holds
 * what: short-circuits, comma, conditional, compound assignment, increments
 */
#include <assert.h>

static int calls;

static int yes(void) { calls++; return 1; }
static int no(void) { calls++; return 0; }

int main(void)
{
	assert(!(no() && yes()) && calls == 1);
	assert((yes() || no()) && calls == 2);
	int x = (yes(), no(), 5);
	assert(x == 5 && calls == 4);
	x = x > 3 ? x < 5 ? 1 : 2 : 3;
	assert(x == 2);
	x *= 6, x -= 2;
	assert(x == 10);
	int a[3] = {1, 2, 3}, *p = a;
	assert(*p++ == 1 && *p == 2 && ++*p == 3 && *++p == 3 && p-- == &a[2] && (*p)-- == 3 && a[1] == 2);
	x = 7;
	x ^= 2, x |= 8, x &= ~1, x <<= 2, x >>= 1, x %= 16;
	assert(x == ((((((7 ^ 2) | 8) & ~1) << 2) >> 1) % 16));
	int y = ({ int t = 3; t * t; });
	assert(y == 9);
	assert((y ?: 1) == 9);
	return 0;
}
