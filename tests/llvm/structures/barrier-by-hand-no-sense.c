/* expect: violated
 * fault: assertion
 * line: 27
 * what: a barrier that works only once is used twice
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int arrived;
static volatile int round_of[2];

static void wait_for_all(void)
{
	atomic_fetch_add(&arrived, 1);
	while (atomic_load(&arrived) < 2)
		;
}

static void *thread(void *argument)
{
	int me = (int)(intptr_t)argument;
	for (int i = 1; i <= 2; i++) {
		round_of[me] = i;
		wait_for_all();
		assert(round_of[1 - me] >= i); /* here */
	}
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, (void *)0);
	pthread_create(&b, 0, thread, (void *)1);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
