/* expect: holds
 * what: a readers-writer lock by hand: a count of readers, -1 is a writer
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static volatile int x, y;

static void *reader(void *argument)
{
	for (int old = 0;;) {
		if (old < 0)
			old = atomic_load(&state);
		else if (atomic_compare_exchange_strong(&state, &old, old + 1))
			break;
	}
	assert(x == y);
	atomic_fetch_sub(&state, 1);
	return argument;
}

static void *writer(void *argument)
{
	for (int zero = 0; !atomic_compare_exchange_strong(&state, &zero, -1); zero = 0)
		;
	x++;
	y++;
	atomic_store(&state, 0);
	return argument;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, reader, 0);
	pthread_create(&b, 0, writer, 0);
	pthread_create(&c, 0, reader, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	return 0;
}
