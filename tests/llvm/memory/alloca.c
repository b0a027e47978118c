/* expect: holds
 * what: alloca in a loop
 */
#include <alloca.h>
#include <assert.h>

struct node { int value; struct node *next; };

int main(void)
{
	struct node *list = 0;
	for (int i = 0; i < 4; i++) {
		struct node *n = alloca(sizeof *n);
		n->value = i;
		n->next = list;
		list = n;
	}
	int sum = 0;
	for (; list; list = list->next)
		sum = 10 * sum + list->value;
	assert(sum == 3210);
	return 0;
}
