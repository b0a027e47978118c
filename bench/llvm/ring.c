/* A ring buffer of SIZE places for several producers and one consumer: P threads put N items each. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef SIZE
#define SIZE 2
#endif
#ifndef P
#define P 3
#endif
#ifndef N
#define N 2
#endif

static struct { atomic_uint sequence; int value; } slots[SIZE];
static atomic_uint head, tail;

static int put(int value)
{
	unsigned place = atomic_load(&tail);

	for (;;) {
		unsigned sequence = atomic_load(&slots[place % SIZE].sequence);
		if (sequence == place) {
			if (atomic_compare_exchange_strong(&tail, &place, place + 1))
				break;
		} else if ((int)(sequence - place) < 0) {
			return 0;
		} else {
			place = atomic_load(&tail);
		}
	}
	slots[place % SIZE].value = value;
	atomic_store(&slots[place % SIZE].sequence, place + 1);
	return 1;
}

static int take(int *value)
{
	unsigned place = head;
	unsigned sequence = atomic_load(&slots[place % SIZE].sequence);

	if (sequence != place + 1)
		return 0;
	*value = slots[place % SIZE].value;
	head = place + 1;
	atomic_store(&slots[place % SIZE].sequence, place + SIZE);
	return 1;
}

static void *producer(void *number)
{
	for (int i = 0; i < N; i++)
		while (!put((int)(intptr_t)number * N + i))
			;
	return 0;
}

int main(void)
{
	pthread_t threads[P];
	int next[P] = {0};

	for (unsigned i = 0; i < SIZE; i++)
		slots[i].sequence = i;
	for (int p = 0; p < P; p++)
		pthread_create(&threads[p], 0, producer, (void *)(intptr_t)p);
	for (int got = 0, value; got < P * N;)
		if (take(&value)) {
			assert(value % N == next[value / N]++);
			got++;
		}
	for (int p = 0; p < P; p++)
		pthread_join(threads[p], 0);
	return 0;
}
