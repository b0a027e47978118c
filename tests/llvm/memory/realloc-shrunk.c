/* expect: violated
 * fault: bounds
 * line: 12
 * what: what realloc cut off is gone
 */
#include <stdlib.h>

int main(void)
{
	int *p = calloc(4, sizeof *p);
	p = realloc(p, 2 * sizeof *p);
	int x = p[2]; /* here */
	free(p);
	return x;
}
