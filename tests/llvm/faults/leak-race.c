/* expect: violated
 * fault: leak
 * what: both threads may install a block, the first one is lost
 */
#include <pthread.h>
#include <stdlib.h>

static char *volatile block;

static void *thread(void *argument)
{
	if (!block)
		block = malloc(1);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	free(block);
	return 0;
}
