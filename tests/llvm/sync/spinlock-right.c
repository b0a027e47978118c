/* expect: holds
 * what: a spin lock around the counter
 */
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t locks[2];
static int counter;

static void add(pthread_spinlock_t *lock)
{
	pthread_spin_lock(lock);
	counter++;
	pthread_spin_unlock(lock);
}

static void *first(void *argument)
{
	add(&locks[0]);
	return argument;
}

static void *second(void *argument)
{
	add(&locks[0]);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_spin_init(&locks[0], PTHREAD_PROCESS_PRIVATE);
	pthread_spin_init(&locks[1], PTHREAD_PROCESS_PRIVATE);
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(counter == 2);
	pthread_spin_destroy(&locks[0]);
	pthread_spin_destroy(&locks[1]);
	return 0;
}
