/* expect: violated
 * fault: uninitialised
 * line: 14
 * what: the new part of a grown block is not set
 */
#include <stdlib.h>

int main(void)
{
	int *p = calloc(2, sizeof *p);
	p = realloc(p, 4 * sizeof *p);
	int x = p[3];
	free(p);
	if (x) /* here */
		return 1;
	return 0;
}
