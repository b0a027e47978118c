/* expect: holds
 * what: exit in a thread ends the program
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *thread(void *argument)
{
	exit(0);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	pthread_join(t, 0);
	assert(0);
}
