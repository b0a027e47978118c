/* expect: violated
 * fault: double-free
 * line: 16
 * what: the count is decremented and then read again: two threads may both see zero
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int references = 2;

static void *thread(void *argument)
{
	atomic_fetch_sub(&references, 1);
	if (atomic_load(&references) == 0)
		free(argument); /* here */
	return 0;
}

int main(void)
{
	pthread_t a, b;
	int *object = malloc(sizeof *object);
	pthread_create(&a, 0, thread, object);
	pthread_create(&b, 0, thread, object);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
