/* expect: holds
 * what: freeing null does nothing
 */
#include <stdlib.h>

int main(void)
{
	char *p = malloc(8);
	free(p);
	p = 0;
	free(p);
	return 0;
}
