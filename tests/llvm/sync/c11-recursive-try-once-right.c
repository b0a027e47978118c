/* expect: holds
 * what: recursive C11 mutex, mtx_trylock, call_once, tss
 */
#include <assert.h>
#include <threads.h>

static mtx_t m;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int calls;

static void once(void)
{
	calls++;
}

static int thread(void *argument)
{
	call_once(&flag, once);
	tss_set(key, argument);
	assert(tss_get(key) == argument);
	int got = mtx_trylock(&m);
	if (got == thrd_success)
		mtx_unlock(&m);
	else
		assert(got == thrd_busy);
	return 0;
}

int main(void)
{
	thrd_t t;
	int object;
	mtx_init(&m, mtx_plain | mtx_recursive);
	tss_create(&key, 0);
	thrd_create(&t, thread, &object);
	mtx_lock(&m);
	mtx_lock(&m);
	mtx_unlock(&m);
	mtx_unlock(&m);
	call_once(&flag, once);
	assert(calls == 1 && tss_get(key) == 0);
	thrd_join(t, 0);
	tss_delete(key);
	mtx_destroy(&m);
	return 0;
}
