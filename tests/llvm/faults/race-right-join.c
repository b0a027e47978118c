/* expect: holds
 * flags: --check race
 * what: no race: creation and joining order the accesses
 */
#include <pthread.h>

static int x;

static void *thread(void *argument)
{
	x++;
	return argument;
}

int main(void)
{
	pthread_t t;
	x = 1;
	pthread_create(&t, 0, thread, 0);
	pthread_join(t, 0);
	x++;
	return x - 3;
}
