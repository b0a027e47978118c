/* expect: holds
 * what: calloc clears
 */
#include <stdlib.h>

int main(void)
{
	int *p = calloc(2, sizeof *p);
	int sum = p[0] + p[1];
	free(p);
	if (sum > 0)
		return 1;
	return 0;
}
