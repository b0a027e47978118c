/* expect: holds
 * what: two threads take turns with one condition variable
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int turn, steps;

static void play(int me)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		while (turn != me)
			pthread_cond_wait(&c, &m);
		assert(steps % 2 == me);
		steps++;
		turn = 1 - me;
		pthread_cond_signal(&c);
		pthread_mutex_unlock(&m);
	}
}

static void *ping(void *argument)
{
	play(0);
	return argument;
}

static void *pong(void *argument)
{
	play(1);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, ping, 0);
	pthread_create(&b, 0, pong, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(steps == 4);
	return 0;
}
