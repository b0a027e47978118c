/* expect: violated
 * fault: assertion
 * line: 16
 * what: two readers can be inside at the same time
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int readers;

static void *thread(void *argument)
{
	pthread_rwlock_rdlock(&lock);
	assert(++readers == 1); /* here */
	readers--;
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
