/* expect: violated
 * fault: race
 * line: 13
 * flags: --check race
 * what: two threads write the same variable without order
 */
#include <pthread.h>

static int x;

static void *thread(void *argument)
{
	x = 1; /* here */
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
