/* expect: violated
 * fault: misuse
 * line: 15
 * what: the loser of trylock unlocks the mutex all the same
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *argument)
{
	pthread_mutex_trylock(&m);
	pthread_mutex_unlock(&m); /* here */
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
