/* expect: holds
 * what: memory that variables of running functions point to when another thread ends the program is not lost
 */
#include <pthread.h>
#include <stdlib.h>

static void *end(void *argument)
{
	exit(argument ? 1 : 0);
}

int main(void)
{
	char *p[2] = { malloc(3), malloc(3) };
	char *q = malloc(2);
	*q = 1;
	pthread_t thread;
	pthread_create(&thread, 0, end, 0);
	pthread_join(thread, 0);
	free(p[0]);
	free(p[1]);
	free(q);
	return 0;
}
