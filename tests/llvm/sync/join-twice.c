/* expect: violated
 * fault: misuse
 * line: 18
 * what: the same thread is joined twice
 */
#include <pthread.h>

static void *thread(void *argument)
{
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	pthread_join(t, 0);
	pthread_join(t, 0); /* here */
	return 0;
}
