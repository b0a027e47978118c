/* expect: violated
 * fault: assertion
 * line: 31
 * what: two producers may write to the same place of a ring buffer
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define SIZE 2

static int slots[SIZE];
static atomic_uint tail;

static void *producer(void *argument)
{
	unsigned place = atomic_load(&tail);
	slots[place % SIZE] = (int)(intptr_t)argument;
	atomic_store(&tail, place + 1);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, producer, (void *)1);
	pthread_create(&b, 0, producer, (void *)2);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(slots[0] + slots[1] == 3); /* here */
	return 0;
}
