/* expect: violated
 * fault: race
 * flags: --check race
 * what: a plain flag does not order the data
 */
#include <pthread.h>

static int data, ready;

static void *thread(void *argument)
{
	data = 7;
	ready = 1;
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	int seen = 7;
	if (ready)
		seen = data;
	pthread_join(t, 0);
	return seen - 7;
}
