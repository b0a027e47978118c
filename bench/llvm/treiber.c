/* Treiber's stack: T threads push a node of their own and pop one, N times. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef T
#define T 2
#endif
#ifndef N
#define N 4
#endif

struct node {
	int owner;
	struct node *next;
};

static _Atomic(struct node *) top;

static void push(struct node *n)
{
	struct node *old = atomic_load(&top);

	do
		n->next = old;
	while (!atomic_compare_exchange_strong(&top, &old, n));
}

static struct node *pop(void)
{
	struct node *old = atomic_load(&top);

	while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
		;
	return old;
}

static void *work(void *nodes)
{
	struct node **mine = nodes;

	for (int i = 0; i < N; i++) {
		push(mine[i]);
		struct node *got = pop();
		assert(got && got->owner);
		got->owner++;
	}
	return 0;
}

int main(void)
{
	pthread_t threads[T];
	struct node *nodes[T][N];

	for (int t = 0; t < T; t++)
		for (int i = 0; i < N; i++) {
			nodes[t][i] = malloc(sizeof *nodes[t][i]);
			nodes[t][i]->owner = 1;
		}
	for (int t = 0; t < T; t++)
		pthread_create(&threads[t], 0, work, nodes[t]);
	for (int t = 0; t < T; t++)
		pthread_join(threads[t], 0);
	assert(!atomic_load(&top));
	for (int t = 0; t < T; t++)
		for (int i = 0; i < N; i++) {
			assert(nodes[t][i]->owner == 2);
			free(nodes[t][i]);
		}
	return 0;
}
