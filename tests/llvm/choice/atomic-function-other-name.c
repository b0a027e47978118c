/* expect: violated
 * fault: assertion
 * line: 29
 * what: a function with another name is none
 */
#include <assert.h>
#include <pthread.h>

static volatile int counter;

static void atomic_add(int n)
{
	counter = counter + n;
}

static void *thread(void *argument)
{
	atomic_add(1);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(counter == 2); /* here */
	return 0;
}
