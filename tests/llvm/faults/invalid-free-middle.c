/* expect: violated
 * fault: invalid-free
 * line: 12
 * what: frees a pointer into a block, not to its beginning
 */
#include <stdlib.h>

int main(void)
{
	char *p = malloc(8);
	*p++ = 'a';
	free(p); /* here */
	return 0;
}
