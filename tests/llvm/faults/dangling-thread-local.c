/* expect: violated
 * fault: dangling
 * line: 25
 * what: a thread-local variable is used after its thread has ended
 */
#include <pthread.h>

static _Thread_local int mine;
static int *_Atomic shared;

static void *thread(void *unused)
{
	(void)unused;
	mine = 1;
	shared = &mine;
	return 0;
}

int main(void)
{
	pthread_t other;

	pthread_create(&other, 0, thread, 0);
	pthread_join(other, 0);
	return *shared;
}
