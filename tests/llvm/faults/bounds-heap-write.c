/* expect: violated
 * fault: bounds
 * line: 12
 * what: too small a block: the size was given in elements, not in bytes
 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(4);
	for (int i = 0; i < 4; i++)
		p[i] = i; /* here */
	free(p);
	return 0;
}
