/* expect: holds
 * what: every thread has its own value, and the destructor frees it
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *thread(void *argument)
{
	assert(pthread_getspecific(key) == 0);
	int *mine = malloc(sizeof *mine);
	*mine = *(int *)argument;
	pthread_setspecific(key, mine);
	assert(*(int *)pthread_getspecific(key) == *(int *)argument);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	int one = 1, two = 2;
	pthread_key_create(&key, free);
	pthread_create(&a, 0, thread, &one);
	pthread_create(&b, 0, thread, &two);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(pthread_getspecific(key) == 0);
	pthread_key_delete(key);
	return 0;
}
