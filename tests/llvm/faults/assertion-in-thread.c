/* expect: violated
 * fault: assertion
 * line: 12
 * what: an assertion in a thread that main only joins
 */
#include <assert.h>
#include <pthread.h>

static void *thread(void *argument)
{
	int *number = argument;
	assert(*number != 5); /* here */
	return 0;
}

int main(void)
{
	pthread_t t;
	int number = 5;
	pthread_create(&t, 0, thread, &number);
	pthread_join(t, 0);
	return 0;
}
