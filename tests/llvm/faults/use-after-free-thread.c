/* expect: violated
 * fault: use-after-free
 * line: 14
 * what: main frees the argument of a thread that may still read it
 */
#include <pthread.h>
#include <stdlib.h>

static int result;

static void *thread(void *argument)
{
	int *p = argument;
	result = *p; /* here */
	return 0;
}

int main(void)
{
	pthread_t t;
	int *p = malloc(sizeof *p);
	*p = 1;
	pthread_create(&t, 0, thread, p);
	free(p);
	pthread_join(t, 0);
	return 0;
}
