/* expect: violated
 * fault: uninitialised
 * line: 18
 * what: the variable that a compare-and-exchange expects has no value; it is a pointer, and read as a number
 */
#include <stdatomic.h>
#include <stddef.h>

struct node { int value; };

static _Atomic(struct node *) top;

int main(void)
{
	static struct node node;
	struct node *expected;

	atomic_compare_exchange_strong(&top, &expected, &node); /* here */
	return atomic_load(&top) != &node;
}
