/* expect: holds
 * what: everything is read before it is freed
 */
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void)
{
	struct node *list = 0;
	int sum = 0;
	for (int i = 0; i < 3; i++) {
		struct node *n = malloc(sizeof *n);
		n->value = i;
		n->next = list;
		list = n;
	}
	while (list) {
		struct node *next = list->next;
		sum += list->value;
		free(list);
		list = next;
	}
	return sum - 3;
}
