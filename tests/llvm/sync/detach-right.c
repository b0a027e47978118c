/* expect: holds
 * what: a detached thread that main waits for by other means
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static volatile int x;

static void *thread(void *argument)
{
	x = 1;
	sem_post(&done);
	return argument;
}

int main(void)
{
	pthread_t t;
	sem_init(&done, 0, 0);
	pthread_create(&t, 0, thread, 0);
	pthread_detach(t);
	sem_wait(&done);
	assert(x == 1);
	return 0;
}
