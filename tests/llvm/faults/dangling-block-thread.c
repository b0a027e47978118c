/* expect: violated
 * fault: dangling
 * line: 11
 * what: a thread reads the counter of a loop that has ended, while the function goes on
 */
#include <pthread.h>

static void *thread(void *i)
{
	int *number = i;
	return *number == 5 ? i : 0;
}

int main(void)
{
	pthread_t other;

	for (int i = 0; i < 1; i++)
		pthread_create(&other, 0, thread, &i);
	pthread_join(other, 0);
	return 0;
}
