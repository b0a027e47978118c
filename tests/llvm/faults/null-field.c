/* expect: violated
 * fault: null
 * line: 15
 * what: a field of a structure at address null: the address itself is not zero
 */
#include <stddef.h>

struct node { long value; struct node *next; };

static struct node last;

int main(void)
{
	struct node *n = &last;
	while (n->next != n) /* here */
		n = n->next;
	return 0;
}
