/* expect: violated
 * fault: division
 * line: 21
 * what: the divisor is zero for a moment
 */
#include <pthread.h>

static volatile int divisor = 2;

static void *thread(void *argument)
{
	divisor = 0;
	divisor = 3;
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	int result = 12 / divisor; /* here */
	pthread_join(t, 0);
	return result == 0;
}
