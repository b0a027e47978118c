/* expect: violated
 * fault: uninitialised
 * line: 15
 * what: printf of a field that was not set
 */
#include <stdio.h>
#include <stdlib.h>

struct point { int x, y; };

int main(void)
{
	struct point *p = malloc(sizeof *p);
	p->x = 1;
	printf("%d %d\n", p->x, p->y); /* here */
	free(p);
	return 0;
}
