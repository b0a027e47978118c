/* expect: holds
 * what: nothing comes in between in an atomic section
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static volatile int counter;

static void *thread(void *argument)
{
	__VERIFIER_atomic_begin();
	counter = counter + 1;
	__VERIFIER_atomic_end();
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
