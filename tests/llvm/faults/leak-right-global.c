/* expect: holds
 * what: what globals still reach at the end is no leak
 */
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *list;

int main(void)
{
	for (int i = 0; i < 3; i++) {
		struct node *n = malloc(sizeof *n);
		n->value = i;
		n->next = list;
		list = n;
	}
	return 0;
}
