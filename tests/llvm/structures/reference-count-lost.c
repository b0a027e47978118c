/* expect: violated
 * fault: leak
 * what: the count is decremented by reading and writing: nobody may see the last reference go
 */
#include <pthread.h>
#include <stdlib.h>

static volatile int references = 2;

static void *thread(void *argument)
{
	int left = references - 1;
	references = left;
	if (left == 0)
		free(argument);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	int *object = malloc(sizeof *object);
	pthread_create(&a, 0, thread, object);
	pthread_create(&b, 0, thread, object);
	object = 0;
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
