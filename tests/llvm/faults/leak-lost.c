/* expect: violated
 * fault: leak
 * what: the only pointer is overwritten
 */
#include <stdlib.h>

int main(void)
{
	char *p = malloc(8);
	p = malloc(16);
	free(p);
	return 0;
}
