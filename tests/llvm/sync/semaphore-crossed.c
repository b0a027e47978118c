/* expect: violated
 * fault: deadlock
 * what: each waits for the other to post first
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t a_done, b_done;

static void *first(void *argument)
{
	sem_wait(&b_done);
	sem_post(&a_done);
	return argument;
}

static void *second(void *argument)
{
	sem_wait(&a_done);
	sem_post(&b_done);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	sem_init(&a_done, 0, 0);
	sem_init(&b_done, 0, 0);
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
