/* expect: violated
 * fault: bounds
 * line: 18
 * what: container_of with the wrong member ends up before the object
 */
#include <stddef.h>

struct link { struct link *next; };
struct item { struct link first; int value; struct link second; };

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

int main(void)
{
	struct item a = {.value = 1};
	struct link *volatile l = &a.first;
	struct item *i = container_of(l, struct item, second);
	return i->first.next != 0; /* here */
}
