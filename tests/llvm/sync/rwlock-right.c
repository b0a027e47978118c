/* expect: holds
 * what: readers see both variables equal
 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int x, y;

static void *reader(void *argument)
{
	pthread_rwlock_rdlock(&lock);
	assert(x == y);
	pthread_rwlock_unlock(&lock);
	return argument;
}

static void *writer(void *argument)
{
	pthread_rwlock_wrlock(&lock);
	x++;
	y++;
	pthread_rwlock_unlock(&lock);
	return argument;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, reader, 0);
	pthread_create(&b, 0, writer, 0);
	pthread_create(&c, 0, reader, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	pthread_rwlock_destroy(&lock);
	return 0;
}
