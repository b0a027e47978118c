/* expect: holds
 * what: a block from malloc is used up to its last byte
 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(4 * sizeof *p);
	for (int i = 0; i < 4; i++)
		p[i] = i;
	((char *)p)[15] = 1;
	free(p);
	return 0;
}
