/* expect: holds
 * flags: --check race
 * what: no race: two threads write different elements of an array
 */
#include <pthread.h>

static char a[2];

static void *thread(void *argument)
{
	a[1] = 1;
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	a[0] = 1;
	pthread_join(t, 0);
	return a[0] - a[1];
}
