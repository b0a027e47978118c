/* expect: holds
 * what: pointers lie above small numbers and below error numbers, and global variables in one order
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#define IS_ERR(p) ((unsigned long)(p) >= (unsigned long)-4095)

static int a, b, c[2];
static const int d = 1;

int main(void)
{
	int x;
	char *p = malloc(4);
	uintptr_t ua = (uintptr_t)&a, ub = (uintptr_t)&b;

	assert(IS_ERR((void *)-12) && !IS_ERR(&x) && !IS_ERR(p) && !IS_ERR(0));
	assert((unsigned long)&x > 4095 && (unsigned long)&x >= 1 && 100 < (uintptr_t)&x);
	assert((intptr_t)&x > 0 && !((intptr_t)&x < 0) && (intptr_t)&x > -1 && (intptr_t)&x >= 4096);
	assert(p > (char *)0 || !p);
	assert((ua < ub) != (ub < ua) && (ua < ub) == (ua <= ub) && (ua < ub) == !(ua > ub));
	assert((&a < c) == (&a < &c[1]) && (&a < &d) == !(&d < &a));
	free(p);
	return 0;
}
