/* expect: holds
 * what: a pointer into the middle keeps a block reachable
 */
#include <stdlib.h>

static char *middle;

int main(void)
{
	char *p = malloc(16);
	middle = p + 8;
	return 0;
}
