/* expect: holds
 * flags: --check race
 * what: no race: a flag that is atomic orders the data
 */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *thread(void *argument)
{
	data = 7;
	atomic_store(&ready, 1);
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	int seen = 7;
	if (atomic_load(&ready))
		seen = data;
	pthread_join(t, 0);
	return seen - 7;
}
