/* expect: violated
 * fault: deadlock
 * what: the function of pthread_once calls pthread_once for itself
 */
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int depth;

static void initialise(void)
{
	if (depth++ == 0)
		pthread_once(&once, initialise);
}

int main(void)
{
	pthread_once(&once, initialise);
	return 0;
}
