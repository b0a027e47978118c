/* expect: holds
 * what: a pointer is none of the cases of a switch
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static int which(void *p)
{
	switch ((uintptr_t)p) {
	case 0:
		return 0;
	case 1:
		return 1;
	case (uintptr_t)-1:
		return 2;
	default:
		return 3;
	}
}

int main(void)
{
	int x, *p = malloc(sizeof *p);

	assert(which(0) == 0 && which((void *)1) == 1 && which((void *)-1) == 2);
	assert(which(&x) == 3 && which((void *)main) == 3 && (!p || which(p) == 3));
	free(p);
	return 0;
}
