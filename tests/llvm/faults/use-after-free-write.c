/* expect: violated
 * fault: use-after-free
 * line: 17
 * what: writes to a freed block through a second pointer
 */
#include <stdlib.h>

struct box { int *content; };

int main(void)
{
	struct box a, b;
	a.content = malloc(sizeof(int));
	b = a;
	free(a.content);
	a.content = 0;
	*b.content = 1; /* here */
	return 0;
}
