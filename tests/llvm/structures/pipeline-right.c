/* expect: holds
 * what: three stages pass values on through one-place channels
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

struct channel { sem_t full, empty; int value; };

static struct channel first, second;

static void open_channel(struct channel *c)
{
	sem_init(&c->full, 0, 0);
	sem_init(&c->empty, 0, 1);
}

static void send(struct channel *c, int value)
{
	sem_wait(&c->empty);
	c->value = value;
	sem_post(&c->full);
}

static int receive(struct channel *c)
{
	sem_wait(&c->full);
	int value = c->value;
	sem_post(&c->empty);
	return value;
}

static void *source(void *argument)
{
	send(&first, 1);
	send(&first, 2);
	return argument;
}

static void *doubler(void *argument)
{
	send(&second, 2 * receive(&first));
	send(&second, 2 * receive(&first));
	return argument;
}

int main(void)
{
	pthread_t a, b;
	open_channel(&first);
	open_channel(&second);
	pthread_create(&a, 0, source, 0);
	pthread_create(&b, 0, doubler, 0);
	assert(receive(&second) == 2);
	assert(receive(&second) == 4);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
