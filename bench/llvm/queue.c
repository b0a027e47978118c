/* The queue of Michael and Scott: one thread appends N items, the other takes as many as it gets.
 * Nodes stay in a list of all nodes until the end. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N 12
#endif

struct node {
	int value;
	_Atomic(struct node *) next;
};

static struct node *oldest;
static _Atomic(struct node *) head, tail;

static struct node *node(int value)
{
	struct node *n = malloc(sizeof *n);

	n->value = value;
	atomic_init(&n->next, 0);
	return n;
}

static void push(int value)
{
	struct node *n = node(value);

	for (;;) {
		struct node *last = atomic_load(&tail);
		struct node *next = atomic_load(&last->next);
		if (last != atomic_load(&tail))
			continue;
		if (next) {
			atomic_compare_exchange_strong(&tail, &last, next);
			continue;
		}
		if (atomic_compare_exchange_strong(&last->next, &next, n)) {
			atomic_compare_exchange_strong(&tail, &last, n);
			return;
		}
	}
}

static int pop(int *value)
{
	for (;;) {
		struct node *first = atomic_load(&head);
		struct node *last = atomic_load(&tail);
		struct node *next = atomic_load(&first->next);
		if (first != atomic_load(&head))
			continue;
		if (first == last) {
			if (!next)
				return 0;
			atomic_compare_exchange_strong(&tail, &last, next);
		} else {
			*value = next->value;
			if (atomic_compare_exchange_strong(&head, &first, next))
				return 1;
		}
	}
}

static void *producer(void *unused)
{
	(void)unused;
	for (int i = 1; i <= N; i++)
		push(i);
	return 0;
}

int main(void)
{
	pthread_t thread;
	int value, got = 0;

	oldest = node(0);
	atomic_init(&head, oldest);
	atomic_init(&tail, oldest);
	pthread_create(&thread, 0, producer, 0);
	for (int i = 0; i < 2 * N; i++)
		if (pop(&value))
			assert(value == ++got);
	pthread_join(thread, 0);
	while (pop(&value))
		assert(value == ++got);
	assert(got == N);
	for (struct node *next; oldest; oldest = next) {
		next = atomic_load(&oldest->next);
		free(oldest);
	}
	return 0;
}
