/* expect: violated
 * fault: misuse
 * line: 18
 * what: a detached thread is joined
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
	pthread_detach(t);
	pthread_join(t, 0); /* here */
	return 0;
}
