/* expect: holds
 * what: the same race is no fault unless it is asked for
 */
#include <pthread.h>

static int x;

static void *thread(void *argument)
{
	x = 1;
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return x - 1;
}
