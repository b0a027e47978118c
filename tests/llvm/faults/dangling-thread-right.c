/* expect: holds
 * what: the variable lives as long as the thread
 */
#include <pthread.h>

static int result;

static void *thread(void *argument)
{
	result = *(int *)argument;
	return 0;
}

static pthread_t start(int *number)
{
	pthread_t t;
	pthread_create(&t, 0, thread, number);
	return t;
}

int main(void)
{
	int number = 3;
	pthread_join(start(&number), 0);
	return result - 3;
}
