/* expect: holds
 * what: a sequence lock: what was read is used only if nothing was written meanwhile
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static volatile int x, y;

static void *writer(void *argument)
{
	for (int i = 1; i <= 2; i++) {
		sequence++;
		x = i;
		y = i;
		sequence++;
	}
	return argument;
}

int main(void)
{
	pthread_t t;
	unsigned before;
	int a, b;
	pthread_create(&t, 0, writer, 0);
	do {
		before = sequence;
		a = x;
		b = y;
	} while (before % 2 || before != sequence);
	assert(a == b);
	pthread_join(t, 0);
	return 0;
}
