/* expect: holds
 * what: the loser of the exchange frees its own block
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) block;

static void *thread(void *argument)
{
	char *mine = malloc(1), *expected = 0;
	if (!atomic_compare_exchange_strong(&block, &expected, mine))
		free(mine);
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
