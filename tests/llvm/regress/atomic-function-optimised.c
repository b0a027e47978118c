/* expect: holds
 * flags: -O 2
 * what: optimised: a function whose name begins with __VERIFIER_atomic_ is an atomic section
 */
#include <assert.h>
#include <pthread.h>

static volatile int counter;

static void __VERIFIER_atomic_add(int n)
{
	counter = counter + n;
}

static void *thread(void *argument)
{
	__VERIFIER_atomic_add(1);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(counter == 2);
	return 0;
}
