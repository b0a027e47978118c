/* expect: violated
 * fault: assertion
 * line: 36
 * what: the exchange of 16 bytes fails if only one half is what was expected
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
	int *p;
	unsigned long tag;
};

static _Atomic struct pair shared;
static int x, y;

static void *thread(void *unused)
{
	struct pair old = { 0, 0 }, new = { &x, 0 };

	(void)unused;
	atomic_compare_exchange_strong(&shared, &old, new);
	return 0;
}

int main(void)
{
	pthread_t other;
	struct pair old = { 0, 0 }, new = { &y, 0 };

	pthread_create(&other, 0, thread, 0);
	_Bool done = atomic_compare_exchange_strong(&shared, &old, new);
	pthread_join(other, 0);
	assert(done ? atomic_load(&shared).p == &y : old.p == &x);
	assert(done);
	return 0;
}
