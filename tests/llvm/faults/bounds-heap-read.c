/* expect: violated
 * fault: bounds
 * line: 12
 * what: reads past the end of a block from malloc
 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(3 * sizeof *p);
	p[0] = p[1] = p[2] = 7;
	int last = p[3]; /* here */
	free(p);
	return last == 7;
}
