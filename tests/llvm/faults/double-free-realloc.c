/* expect: violated
 * fault: double-free
 * line: 14
 * what: the old block is freed after realloc has freed it
 */
#include <stdlib.h>

int main(void)
{
	char *old = malloc(8);
	char *volatile keep = old;
	char *new = realloc(old, 4000);
	free(new);
	free(keep); /* here */
	return 0;
}
