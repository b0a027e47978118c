/* expect: holds
 * what: results come back through join, pthread_exit and a nested call
 */
#include <assert.h>
#include <pthread.h>

static int numbers[3];

static void leave(void)
{
	pthread_exit(&numbers[2]);
}

static void *returns(void *argument)
{
	return argument;
}

static void *leaves(void *argument)
{
	leave();
	return argument;
}

int main(void)
{
	pthread_t a, b;
	void *first, *second;
	pthread_create(&a, 0, returns, &numbers[1]);
	pthread_create(&b, 0, leaves, &numbers[1]);
	pthread_join(b, &second);
	pthread_join(a, &first);
	assert(first == &numbers[1] && second == &numbers[2]);
	return 0;
}
