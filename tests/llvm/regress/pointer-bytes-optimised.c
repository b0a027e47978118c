/* expect: holds
 * flags: -O 2
 * what: optimised: pointers survive when they are copied byte by byte
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int target = 7;

static int twice(int x)
{
	return 2 * x;
}

static void copy(void *to, const void *from, unsigned long n)
{
	char *t = to;
	const char *f = from;
	while (n--)
		*t++ = *f++;
}

int main(void)
{
	int *p = &target, *q, *r;
	memcpy(&q, &p, sizeof q);
	copy(&r, &p, sizeof r);
	assert(*q == 7 && *r == 7 && q == r);
	int (*f)(int) = twice, (*g)(int);
	copy(&g, &f, sizeof g);
	assert(g(4) == 8);
	int *h = malloc(sizeof *h), *k;
	*h = 3;
	copy(&k, &h, sizeof k);
	assert(*k == 3);
	free(k);
	return 0;
}
