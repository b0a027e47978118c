/* expect: violated
 * fault: misuse
 * line: 15
 * what: unlocks a readers-writer lock that nobody holds
 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_unlock(&lock); /* here */
	return 0;
}
