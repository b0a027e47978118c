/* expect: holds
 * what: from a member back to the structure around it
 */
#include <assert.h>
#include <stddef.h>

struct link { struct link *next; };
struct item { char tag; int value; struct link link; };

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

int main(void)
{
	struct item a = {'a', 1, {0}}, b = {'b', 2, {&a.link}};
	int sum = 0;
	for (struct link *l = &b.link; l; l = l->next)
		sum += container_of(l, struct item, link)->value;
	assert(sum == 3);
	assert(offsetof(struct item, value) == 4 && offsetof(struct item, link) == 8);
	return 0;
}
