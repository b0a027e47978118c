/* expect: violated
 * fault: deadlock
 * what: Two locks, taken in different orders: each thread waits for the other.
 */
#include <pthread.h>

/* One thread moves money from the till to the safe, the other from the safe to the till.
 * Each locks the place it takes from, then the place it gives to. If both get their first
 * lock, neither ever gets its second one. (The cure: always lock the till first.) */
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
	pthread_mutex_lock(&safe_lock);
	pthread_mutex_lock(&till_lock);
	safe -= 10;
	till += 10;
	pthread_mutex_unlock(&till_lock);
	pthread_mutex_unlock(&safe_lock);
	return 0;
}

int main(void)
{
	pthread_t evening, morning;

	pthread_create(&evening, 0, empty_the_till, 0);
	pthread_create(&morning, 0, get_change, 0);
	pthread_join(evening, 0);
	pthread_join(morning, 0);
	return 0;
}
