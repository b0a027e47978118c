/* expect: violated
 * fault: race
 * flags: --check race
 * what: one thread reads while another may write
 */
#include <pthread.h>

static int x;

static void *thread(void *argument)
{
	x = 1;
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	int seen = x;
	pthread_join(t, 0);
	return seen > 1;
}
