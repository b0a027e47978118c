/* expect: violated
 * fault: double-free
 * line: 12
 * what: the same block is freed twice
 */
#include <stdlib.h>

int main(void)
{
	char *p = malloc(8), *q = p;
	free(p);
	free(q); /* here */
	return 0;
}
