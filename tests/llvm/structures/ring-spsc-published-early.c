/* expect: violated
 * fault: assertion
 * line: 33
 * what: a ring buffer whose counter is moved before the value is in its place
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2

static int slots[SIZE];
static atomic_uint written, taken;

static void *producer(void *argument)
{
	for (int i = 1; i <= 3; i++) {
		while (written - taken == SIZE)
			;
		unsigned place = written++;
		slots[place % SIZE] = i;
	}
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, producer, 0);
	for (int i = 1; i <= 3; i++) {
		while (written == taken)
			;
		assert(slots[taken % SIZE] == i); /* here */
		taken++;
	}
	pthread_join(t, 0);
	return 0;
}
