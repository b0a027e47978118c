/* expect: violated
 * fault: leak
 * what: a cancelled thread cannot free what only it knew
 */
#include <pthread.h>
#include <stdlib.h>

static void *thread(void *argument)
{
	char *mine = malloc(8);
	pthread_testcancel();
	free(mine);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	pthread_cancel(t);
	pthread_join(t, 0);
	return 0;
}
