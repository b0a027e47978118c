/* expect: violated
 * fault: assertion
 * line: 41
 * what: the deque of Chase and Lev; the owner takes the last task without compare and exchange
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int tasks[2] = {0, 1};
static atomic_int done[2];
static atomic_int top, bottom = 2;

static int take(void)
{
	int b = atomic_load(&bottom) - 1;
	atomic_store(&bottom, b);
	int t = atomic_load(&top);
	if (t > b) {
		atomic_store(&bottom, b + 1);
		return -1;
	}
	return tasks[b];
}

static int steal(void)
{
	int t = atomic_load(&top);
	int b = atomic_load(&bottom);
	if (t >= b)
		return -1;
	int task = tasks[t];
	if (!atomic_compare_exchange_strong(&top, &t, t + 1))
		return -1;
	return task;
}

static void run(int task)
{
	if (task >= 0)
		assert(atomic_fetch_add(&done[task], 1) == 0); /* here */
}

static void *thief(void *argument)
{
	run(steal());
	run(steal());
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thief, 0);
	run(take());
	run(take());
	pthread_join(t, 0);
	return 0;
}
