/* expect: violated
 * fault: deadlock
 * what: two C11 mutexes, locked in different orders
 */
#include <threads.h>

static mtx_t m, n;

static int thread(void *argument)
{
	(void)argument;
	mtx_lock(&n);
	mtx_lock(&m);
	mtx_unlock(&m);
	mtx_unlock(&n);
	return 0;
}

int main(void)
{
	thrd_t t;
	mtx_init(&m, mtx_plain);
	mtx_init(&n, mtx_plain);
	thrd_create(&t, thread, 0);
	mtx_lock(&m);
	mtx_lock(&n);
	mtx_unlock(&n);
	mtx_unlock(&m);
	thrd_join(t, 0);
	mtx_destroy(&m);
	mtx_destroy(&n);
	return 0;
}
