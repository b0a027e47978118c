/* expect: holds
 * what: a semaphore with one unit excludes
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t units;
static volatile int counter;

static void *thread(void *argument)
{
	sem_wait(&units);
	counter = counter + 1;
	sem_post(&units);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	sem_init(&units, 0, 1);
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(counter == 2);
	sem_destroy(&units);
	return 0;
}
