/* expect: violated
 * fault: assertion
 * line: 33
 * what: a sequence lock whose reader does not mind that somebody is writing
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static volatile int x, y;

static void *writer(void *argument)
{
	sequence++;
	x = 1;
	y = 1;
	sequence++;
	return argument;
}

int main(void)
{
	pthread_t t;
	unsigned before;
	int a, b;
	pthread_create(&t, 0, writer, 0);
	do {
		before = sequence;
		a = x;
		b = y;
	} while (before != sequence);
	assert(a == b); /* here */
	pthread_join(t, 0);
	return 0;
}
