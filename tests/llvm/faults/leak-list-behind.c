/* expect: violated
 * fault: leak
 * what: the head of a list is freed, the rest is lost
 */
#include <stdlib.h>

struct node { struct node *next; };

static struct node *list;

int main(void)
{
	list = malloc(sizeof *list);
	list->next = malloc(sizeof *list);
	list->next->next = 0;
	free(list);
	list = 0;
	return 0;
}
