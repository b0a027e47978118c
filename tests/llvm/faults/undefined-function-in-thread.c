/* expect: violated
 * fault: undefined
 * line: 16
 * flags: --allow undefined
 * what: a function without a body is called by a thread, in one order only
 */
#include <pthread.h>

void somewhere_else(void);

static volatile int x;

static void *thread(void *argument)
{
	if (x == 1)
		somewhere_else(); /* here */
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	x = 1;
	x = 2;
	pthread_join(t, 0);
	return 0;
}
