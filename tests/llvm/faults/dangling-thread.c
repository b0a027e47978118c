/* expect: violated
 * fault: dangling
 * line: 12
 * what: a thread reads a variable of the function that started it and has returned
 */
#include <pthread.h>

static int result;

static void *thread(void *argument)
{
	result = *(int *)argument; /* here */
	return 0;
}

static pthread_t start(int number)
{
	pthread_t t;
	pthread_create(&t, 0, thread, &number);
	return t;
}

int main(void)
{
	pthread_join(start(3), 0);
	return 0;
}
