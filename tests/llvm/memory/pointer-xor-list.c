/* expect: unknown
 * reason: unsupported
 * what: a list with one link of both neighbours, combined by exclusive or
 */
#include <assert.h>
#include <stdint.h>

struct node { int value; uintptr_t both; };

static struct node nodes[4];

int main(void)
{
	for (int i = 0; i < 4; i++) {
		uintptr_t before = i > 0 ? (uintptr_t)&nodes[i - 1] : 0;
		uintptr_t after = i < 3 ? (uintptr_t)&nodes[i + 1] : 0;
		nodes[i].value = i;
		nodes[i].both = before ^ after;
	}
	int forwards = 0, backwards = 0;
	uintptr_t before = 0;
	for (struct node *n = &nodes[0]; n;) {
		forwards = 10 * forwards + n->value;
		struct node *next = (struct node *)(n->both ^ before);
		before = (uintptr_t)n;
		n = next;
	}
	before = 0;
	for (struct node *n = &nodes[3]; n;) {
		backwards = 10 * backwards + n->value;
		struct node *next = (struct node *)(n->both ^ before);
		before = (uintptr_t)n;
		n = next;
	}
	assert(forwards == 123 && backwards == 3210);
	return 0;
}
