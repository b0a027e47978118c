/* expect: violated
 * fault: assertion
 * line: 18
 * what: the writer looks for readers first and closes the door afterwards
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int readers, writing;
static volatile int x, y;

static void *reader(void *argument)
{
	while (atomic_load(&writing))
		;
	atomic_fetch_add(&readers, 1);
	assert(x == y); /* here */
	atomic_fetch_sub(&readers, 1);
	return argument;
}

static void *writer(void *argument)
{
	while (atomic_load(&readers))
		;
	atomic_store(&writing, 1);
	x++;
	y++;
	atomic_store(&writing, 0);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, reader, 0);
	pthread_create(&b, 0, writer, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
