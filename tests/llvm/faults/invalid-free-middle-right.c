/* expect: holds
 * what: the pointer is back at the beginning when it is freed
 */
#include <stdlib.h>

int main(void)
{
	char *p = malloc(8);
	*p++ = 'a';
	p--;
	free(p);
	return 0;
}
