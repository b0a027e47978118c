/* expect: holds
 * what: a C11 condition variable
 */
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int ready;

static int thread(void *argument)
{
	(void)argument;
	mtx_lock(&m);
	ready = 1;
	cnd_broadcast(&c);
	mtx_unlock(&m);
	return 0;
}

int main(void)
{
	thrd_t t;
	mtx_init(&m, mtx_plain);
	cnd_init(&c);
	thrd_create(&t, thread, 0);
	mtx_lock(&m);
	while (!ready)
		cnd_wait(&c, &m);
	mtx_unlock(&m);
	thrd_join(t, 0);
	assert(ready == 1);
	cnd_destroy(&c);
	mtx_destroy(&m);
	return 0;
}
