/* expect: holds
 * what: what is free for whom
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *while_read(void *argument)
{
	assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
	assert(pthread_rwlock_tryrdlock(&lock) == 0);
	assert(pthread_rwlock_unlock(&lock) == 0);
	return argument;
}

static void *while_written(void *argument)
{
	assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
	assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_rwlock_rdlock(&lock);
	pthread_create(&t, 0, while_read, 0);
	pthread_join(t, 0);
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_wrlock(&lock);
	pthread_create(&t, 0, while_written, 0);
	pthread_join(t, 0);
	pthread_rwlock_unlock(&lock);
	return 0;
}
