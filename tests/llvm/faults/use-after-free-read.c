/* expect: violated
 * fault: use-after-free
 * line: 13
 * what: reads a freed block
 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(sizeof *p);
	*p = 3;
	free(p);
	return *p; /* here */
}
