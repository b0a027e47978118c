/* expect: violated
 * fault: exit
 * flags: --check exit
 * what: a thread calls exit(1)
 */
#include <pthread.h>
#include <stdlib.h>

static void *thread(void *argument)
{
	exit(1);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	pthread_join(t, 0);
	return 0;
}
