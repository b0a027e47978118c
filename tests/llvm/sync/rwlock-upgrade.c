/* expect: violated
 * fault: deadlock
 * what: two readers both wait to become writers
 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int x, y;

static void *thread(void *argument)
{
	pthread_rwlock_rdlock(&lock);
	if (x == 0) {
		pthread_rwlock_wrlock(&lock);
		x = y = 1;
		pthread_rwlock_unlock(&lock);
	}
	pthread_rwlock_unlock(&lock);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
