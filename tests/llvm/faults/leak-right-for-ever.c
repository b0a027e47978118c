/* expect: holds
 * what: a thread that runs for ever holds its memory, although it does not look at it any more
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state;

static void *serve(void *argument)
{
	char *buffer = malloc(3);
	buffer[0] = 0;
	for (;;) {
		pthread_mutex_lock(&lock);
		state = !state;
		pthread_mutex_unlock(&lock);
	}
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, serve, 0);
	pthread_exit(0);
}
