/* expect: holds
 * what: slots are taken by compare and exchange on a bit mask: nobody gets the same one
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint mask;
static atomic_int users[2];

static int take(void)
{
	unsigned old = atomic_load(&mask);
	for (;;) {
		int slot = old & 1 ? 1 : 0;
		if (atomic_compare_exchange_weak(&mask, &old, old | 1u << slot))
			return slot;
	}
}

static void *thread(void *argument)
{
	int slot = take();
	assert(atomic_fetch_add(&users[slot], 1) == 0);
	atomic_fetch_sub(&users[slot], 1);
	atomic_fetch_and(&mask, ~(1u << slot));
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(atomic_load(&mask) == 0);
	return 0;
}
