/* expect: violated
 * fault: assertion
 * line: 18
 * what: slots are taken by reading and writing the bit mask
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint mask;
static atomic_int users[2];

static void *thread(void *argument)
{
	unsigned old = atomic_load(&mask);
	int slot = old & 1 ? 1 : 0;
	atomic_store(&mask, old | 1u << slot);
	assert(atomic_fetch_add(&users[slot], 1) == 0); /* here */
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
