/* expect: violated
 * fault: use-after-free
 * line: 22
 * flags: --allow leak
 * what: the next pointer is read from a node that has just been freed
 */
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void)
{
	struct node *list = 0;
	for (int i = 0; i < 3; i++) {
		struct node *n = malloc(sizeof *n);
		n->value = i;
		n->next = list;
		list = n;
	}
	while (list) {
		free(list);
		list = list->next; /* here */
	}
	return 0;
}
