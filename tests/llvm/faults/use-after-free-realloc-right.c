/* expect: holds
 * what: the new pointer after realloc
 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(2 * sizeof *p);
	p[0] = 1;
	p = realloc(p, 100 * sizeof *p);
	p[99] = 1;
	int first = p[0];
	free(p);
	return first - 1;
}
