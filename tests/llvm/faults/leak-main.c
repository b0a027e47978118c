/* expect: violated
 * fault: leak
 * what: only main's locals point to the block, and main returns
 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(sizeof *p);
	*p = 0;
	return *p;
}
