/* expect: holds
 * what: trylock of a spin lock
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
	pthread_spinlock_t lock;
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	assert(pthread_spin_trylock(&lock) == 0);
	assert(pthread_spin_trylock(&lock) == EBUSY);
	pthread_spin_unlock(&lock);
	pthread_spin_lock(&lock);
	pthread_spin_unlock(&lock);
	pthread_spin_destroy(&lock);
	return 0;
}
