/* A queue between two threads without a lock: a list of blocks of B items. The writer appends
 * 0, 1, ..., N - 1 again and again, at most L at a time, and never ends; the reader checks the order. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef B
#define B 2
#endif
#ifndef L
#define L 5
#endif
#ifndef N
#define N 397
#endif

struct block {
	int item[B];
	int read;             /* only the reader uses it */
	atomic_int written;
	_Atomic(struct block *) next;
};

static struct block *first, *last;    /* of the reader, of the writer */
static atomic_int length;

static struct block *block(void)
{
	struct block *b = malloc(sizeof *b);

	b->read = 0;
	atomic_init(&b->written, 0);
	atomic_init(&b->next, 0);
	return b;
}

static void push(int item)
{
	struct block *b = last;

	if (atomic_load(&b->written) == B) {
		b = block();
		atomic_store(&last->next, b);
		last = b;
	}
	int place = atomic_load(&b->written);
	b->item[place] = item;
	atomic_store(&b->written, place + 1);
}

static int pop(void)
{
	struct block *b = first;

	if (b->read == B) {
		struct block *next = atomic_load(&b->next);
		assert(next);
		free(b);
		b = first = next;
	}
	assert(b->read < atomic_load(&b->written));
	return b->item[b->read++];
}

static void *writer(void *unused)
{
	(void)unused;
	for (int i = 0;;)
		if (atomic_load(&length) < L) {
			push(i);
			atomic_fetch_add(&length, 1);
			i = (i + 1) % N;
		}
	return 0;
}

int main(void)
{
	pthread_t thread;

	first = last = block();
	pthread_create(&thread, 0, writer, 0);
	for (int i = 0;;)
		if (atomic_load(&length) > 0) {
			int item = pop();
			assert(item == i);
			atomic_fetch_sub(&length, 1);
			i = (i + 1) % N;
		}
	return 0;
}
