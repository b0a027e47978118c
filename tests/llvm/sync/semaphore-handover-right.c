/* expect: holds
 * what: two semaphores hand a value over and back
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t full, empty;
static volatile int value;

static void *producer(void *argument)
{
	for (int i = 1; i <= 3; i++) {
		sem_wait(&empty);
		value = i;
		sem_post(&full);
	}
	return argument;
}

int main(void)
{
	pthread_t t;
	sem_init(&full, 0, 0);
	sem_init(&empty, 0, 1);
	pthread_create(&t, 0, producer, 0);
	for (int i = 1; i <= 3; i++) {
		sem_wait(&full);
		assert(value == i);
		sem_post(&empty);
	}
	pthread_join(t, 0);
	sem_destroy(&full);
	sem_destroy(&empty);
	return 0;
}
