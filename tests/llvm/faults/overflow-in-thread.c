/* expect: violated
 * fault: overflow
 * line: 13
 * what: a counter that stays small when threads take turns, and runs over when they do not
 */
#include <limits.h>
#include <pthread.h>

static volatile int level = INT_MAX - 1;

static void *thread(void *argument)
{
	level = level + 1; /* here */
	level = level - 1;
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
