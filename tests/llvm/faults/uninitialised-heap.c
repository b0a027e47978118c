/* expect: violated
 * fault: uninitialised
 * line: 14
 * what: malloc does not clear
 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(2 * sizeof *p);
	p[0] = 1;
	int sum = p[0] + p[1];
	free(p);
	if (sum > 0) /* here */
		return 1;
	return 0;
}
