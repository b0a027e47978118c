/* expect: holds
 * what: pointers become numbers and pointers again
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

struct node { int value; };

int main(void)
{
	static int x = 5;
	uintptr_t n = (uintptr_t)&x;
	assert(n != 0 && n % sizeof(int) == 0);
	assert(*(int *)n == 5);
	int a[4] = {1, 2, 3, 4};
	uintptr_t first = (uintptr_t)a;
	assert(*(int *)(first + 2 * sizeof(int)) == 3);
	assert((uintptr_t)&a[3] - first == 12);
	struct node *h = malloc(sizeof *h);
	h->value = 9;
	uintptr_t tagged = (uintptr_t)h | 1;               /* low bits are free for a mark */
	assert(tagged & 1);
	struct node *again = (struct node *)(tagged & ~(uintptr_t)1);
	assert(again == h && again->value == 9);
	free(again);
	assert((uintptr_t)(void *)0 == 0);
	return 0;
}
