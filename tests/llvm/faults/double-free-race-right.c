/* expect: holds
 * what: an atomic exchange gives the block to one thread only
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) block;

static void *thread(void *argument)
{
	char *mine = atomic_exchange(&block, 0);
	if (mine)
		free(mine);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	block = malloc(1);
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
