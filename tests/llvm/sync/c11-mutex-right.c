/* expect: holds
 * what: C11 threads and a mutex
 */
#include <assert.h>
#include <threads.h>

static mtx_t m;
static int counter;

static int careful(void *argument)
{
	mtx_lock(&m);
	counter++;
	mtx_unlock(&m);
	return *(int *)argument;
}

int main(void)
{
	thrd_t a, b;
	int three = 3, four = 4, first, second;
	mtx_init(&m, mtx_plain);
	assert(thrd_create(&a, careful, &three) == thrd_success);
	assert(thrd_create(&b, careful, &four) == thrd_success);
	assert(thrd_join(a, &first) == thrd_success);
	assert(thrd_join(b, &second) == thrd_success);
	assert(first == 3 && second == 4);
	assert(counter == 2);
	mtx_destroy(&m);
	return 0;
}
