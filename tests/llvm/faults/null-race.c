/* expect: violated
 * fault: null
 * line: 22
 * what: the pointer becomes null between the test and the use
 */
#include <pthread.h>

static int number = 1;
static int *volatile shared = &number;

static void *thread(void *argument)
{
	shared = 0;
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	if (shared)
		*shared = 2; /* here */
	pthread_join(t, 0);
	return 0;
}
