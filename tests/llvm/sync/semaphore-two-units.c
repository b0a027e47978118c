/* expect: violated
 * fault: assertion
 * line: 29
 * what: a semaphore with two units lets both in
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
	sem_init(&units, 0, 2);
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(counter == 2); /* here */
	sem_destroy(&units);
	return 0;
}
