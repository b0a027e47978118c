/* expect: violated
 * fault: assertion
 * line: 29
 * what: a static local variable is shared by all threads
 */
#include <assert.h>
#include <pthread.h>

static int next(void)
{
	static int n;
	return ++n;
}

static void *thread(void *argument)
{
	*(int *)argument = next();
	return 0;
}

int main(void)
{
	pthread_t a, b;
	int first, second;
	pthread_create(&a, 0, thread, &first);
	pthread_create(&b, 0, thread, &second);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(first != second); /* here */
	return 0;
}
