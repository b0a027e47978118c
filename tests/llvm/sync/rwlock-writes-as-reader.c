/* expect: violated
 * fault: assertion
 * line: 27
 * what: two threads change a variable with only the lock for reading
 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int x, y;

static void *thread(void *argument)
{
	pthread_rwlock_rdlock(&lock);
	x++;
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
	assert(x == 2 && y == 0); /* here */
	return 0;
}
