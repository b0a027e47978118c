/* expect: violated
 * fault: use-after-free
 * line: 14
 * what: the old pointer after realloc
 */
#include <stdlib.h>

int main(void)
{
	int *old = malloc(2 * sizeof *old);
	old[0] = 1;
	int *new = realloc(old, 1000 * sizeof *new);
	new[999] = 1;
	old[0] = 2; /* here */
	free(new);
	return 0;
}
