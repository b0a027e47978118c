/* expect: holds
 * what: a block as large as the structure
 */
#include <stdlib.h>

struct point { long x, y, z; };

int main(void)
{
	struct point *p = malloc(sizeof *p);
	p->x = 1;
	p->y = 2;
	p->z = 3;
	free(p);
	return 0;
}
