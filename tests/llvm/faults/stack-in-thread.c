/* expect: violated
 * fault: stack
 * what: a thread whose recursion has no end
 */
#include <pthread.h>

static int depth(int n)
{
	return n < 0 ? 0 : depth(n) + 1;
}

static void *thread(void *argument)
{
	depth(1);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	pthread_join(t, 0);
	return 0;
}
