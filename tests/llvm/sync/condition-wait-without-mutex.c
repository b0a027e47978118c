/* expect: violated
 * fault: misuse
 * line: 15
 * what: waits without holding the mutex
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

int main(void)
{
	pthread_cond_wait(&c, &m); /* here */
	return ready;
}
