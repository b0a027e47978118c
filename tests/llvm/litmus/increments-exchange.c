/* expect: holds
 * what: increments with compare and exchange in a loop, also with the weak form that may fail for no reason
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread(void *argument)
{
	for (int i = 0; i < 3; i++)
		for (int old = x; !atomic_compare_exchange_weak(&x, &old, old + 1);)
			;
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(x == 6);
	return 0;
}
