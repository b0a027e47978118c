/* expect: violated
 * fault: bounds
 * line: 14
 * what: a block as large as a pointer to the structure, not as the structure
 */
#include <stdlib.h>

struct point { long x, y, z; };

int main(void)
{
	struct point *p = malloc(sizeof p);
	p->x = 1;
	p->y = 2; /* here */
	free(p);
	return 0;
}
