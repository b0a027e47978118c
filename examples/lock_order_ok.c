/* expect: holds
 * what: Two locks, always taken in the same order: nobody waits for ever.
 */
#include <assert.h>
#include <pthread.h>

/* The same as lock_order.c, but both threads lock the till first. Whoever has it gets the safe
 * too, sooner or later, for the other thread cannot hold the safe while it waits for the till. */
static pthread_mutex_t till_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t safe_lock = PTHREAD_MUTEX_INITIALIZER;
static int till = 100, safe = 100;

static void *empty_the_till(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&till_lock);
	pthread_mutex_lock(&safe_lock);
	till -= 50;
	safe += 50;
	pthread_mutex_unlock(&safe_lock);
	pthread_mutex_unlock(&till_lock);
	return 0;
}

static void *get_change(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&till_lock);
	pthread_mutex_lock(&safe_lock);
	safe -= 10;
	till += 10;
	pthread_mutex_unlock(&safe_lock);
	pthread_mutex_unlock(&till_lock);
	return 0;
}

int main(void)
{
	pthread_t evening, morning;

	pthread_create(&evening, 0, empty_the_till, 0);
	pthread_create(&morning, 0, get_change, 0);
	pthread_join(evening, 0);
	pthread_join(morning, 0);
	assert(till == 60 && safe == 140);
	return 0;
}
