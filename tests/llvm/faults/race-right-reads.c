/* expect: holds
 * flags: --check race
 * what: no race: both threads only read
 */
#include <pthread.h>

static int x = 3;

static void *thread(void *argument)
{
	int *result = argument;
	*result = x;
	return 0;
}

int main(void)
{
	pthread_t t;
	int theirs, mine;
	pthread_create(&t, 0, thread, &theirs);
	mine = x;
	pthread_join(t, 0);
	return theirs - mine;
}
