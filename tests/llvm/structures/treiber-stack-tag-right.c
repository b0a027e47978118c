/* expect: holds
 * what: a counter beside the top prevents A-B-A
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* the top: the number of a node (0 is none) in the low half, a counter in the high half */
struct node { uint32_t next; int taken; };

static struct node nodes[3];
static _Atomic uint64_t top;

static uint64_t successor(uint64_t old, uint32_t number)
{
	return ((old >> 32) + 1) << 32 | number;
}

static void push(uint32_t number)
{
	nodes[number].taken = 0;
	uint64_t old = atomic_load(&top);
	do
		nodes[number].next = (uint32_t)old;
	while (!atomic_compare_exchange_strong(&top, &old, successor(old, number)));
}

static uint32_t pop(void)
{
	uint64_t old = atomic_load(&top);
	while ((uint32_t)old && !atomic_compare_exchange_strong(&top, &old, successor(old, nodes[(uint32_t)old].next)))
		;
	return (uint32_t)old;
}

static void *pops(void *argument)
{
	uint32_t n = pop();
	if (n)
		nodes[n].taken = 1;
	return argument;
}

static void *pops_two_and_pushes_one(void *argument)
{
	uint32_t first = pop(), second = pop();
	if (second)
		nodes[second].taken = 1;
	if (first)
		push(first);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	push(2);
	push(1);
	pthread_create(&a, 0, pops, 0);
	pthread_create(&b, 0, pops_two_and_pushes_one, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	for (uint32_t n = (uint32_t)top; n; n = nodes[n].next)
		assert(!nodes[n].taken);
	return 0;
}
