/* expect: violated
 * fault: misuse
 * line: 13
 * what: a spin lock is locked twice by the same thread, which POSIX leaves undefined
 */
#include <pthread.h>

int main(void)
{
	pthread_spinlock_t lock;
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_lock(&lock);
	pthread_spin_lock(&lock); /* here */
	pthread_spin_unlock(&lock);
	pthread_spin_destroy(&lock);
	return 0;
}
