/* expect: violated
 * fault: invalid-free
 * line: 12
 * what: frees a local variable
 */
#include <stdlib.h>

int main(void)
{
	int x = 1;
	int *volatile p = &x;
	free(p); /* here */
	return 0;
}
