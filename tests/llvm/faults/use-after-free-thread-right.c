/* expect: holds
 * what: main frees the argument of a thread after joining it
 */
#include <pthread.h>
#include <stdlib.h>

static int result;

static void *thread(void *argument)
{
	int *p = argument;
	result = *p;
	return 0;
}

int main(void)
{
	pthread_t t;
	int *p = malloc(sizeof *p);
	*p = 1;
	pthread_create(&t, 0, thread, p);
	pthread_join(t, 0);
	free(p);
	return result - 1;
}
