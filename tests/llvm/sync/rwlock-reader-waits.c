/* expect: violated
 * fault: deadlock
 * what: a writer never unlocks, and the reader waits for ever
 */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *argument)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_rwlock_wrlock(&lock);
	pthread_create(&t, 0, reader, 0);
	pthread_join(t, 0);
	pthread_rwlock_unlock(&lock);
	return 0;
}
