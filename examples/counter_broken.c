/* expect: violated
 * fault: assertion
 * line: 31
 * what: Two threads count together, and an increment is lost.
 */
#include <assert.h>
#include <pthread.h>

/* `counter++` looks like one step but is three: read the counter, add one, write it back.
 * When both threads read before either of them writes, both write the same number and one
 * increment is gone. On a real machine this happens once in a blue moon; Auspex tries every
 * order of the steps, so it always finds it and shows the steps that lead there. */
static int counter;

static void *count(void *unused)
{
	(void)unused;
	counter++;
	return 0;
}

int main(void)
{
	pthread_t first, second;

	pthread_create(&first, 0, count, 0);
	pthread_create(&second, 0, count, 0);
	pthread_join(first, 0);
	pthread_join(second, 0);

	assert(counter == 2); /* here */
	return 0;
}
