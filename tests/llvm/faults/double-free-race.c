/* expect: violated
 * fault: double-free
 * line: 16
 * what: two threads may both see that the block is still there
 */
#include <pthread.h>
#include <stdlib.h>

static char *volatile block;

static void *thread(void *argument)
{
	char *mine = block;
	if (mine) {
		block = 0;
		free(mine); /* here */
	}
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
