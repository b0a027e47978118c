/* expect: violated
 * fault: trap
 * line: 23
 * what: a thread reaches __builtin_trap after a lost update
 */
#include <pthread.h>

static volatile int x;

static void *thread(void *argument)
{
	x = x + 1;
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	x = x + 1;
	pthread_join(t, 0);
	if (x == 1)
		__builtin_trap(); /* here */
	return 0;
}
