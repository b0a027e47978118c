/* expect: holds
 * what: a ring buffer for many producers, with a sequence number in every place
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define SIZE 2

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
	unsigned place = atomic_load(&head);
	for (;;) {
		unsigned sequence = atomic_load(&slots[place % SIZE].sequence);
		if (sequence == place + 1) {
			if (atomic_compare_exchange_strong(&head, &place, place + 1))
				break;
		} else if ((int)(sequence - (place + 1)) < 0) {
			return 0;
		} else {
			place = atomic_load(&head);
		}
	}
	*value = slots[place % SIZE].value;
	atomic_store(&slots[place % SIZE].sequence, place + SIZE);
	return 1;
}

static void *producer(void *argument)
{
	assert(put((int)(intptr_t)argument));
	return 0;
}

int main(void)
{
	pthread_t a, b;
	for (unsigned i = 0; i < SIZE; i++)
		slots[i].sequence = i;
	pthread_create(&a, 0, producer, (void *)1);
	pthread_create(&b, 0, producer, (void *)2);
	int early = 0, first = 0, second = 0;
	if (take(&early))
		assert(early == 1 || early == 2);
	pthread_join(a, 0);
	pthread_join(b, 0);
	int got = take(&first) + take(&second);
	assert(got == (early ? 1 : 2));
	assert(early + first + second == 3);
	return 0;
}
