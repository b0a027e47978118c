/* expect: violated
 * fault: use-after-free
 * line: 33
 * what: the table is looked at without the lock while another thread replaces it
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *table;
static unsigned size = 2;

static void *grow(void *argument)
{
	pthread_mutex_lock(&m);
	int *larger = calloc(2 * size, sizeof *larger);
	for (unsigned i = 0; i < size; i++)
		larger[i] = table[i];
	int *old = table;
	table = larger;
	size *= 2;
	free(old);
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t t;
	table = calloc(size, sizeof *table);
	pthread_create(&t, 0, grow, 0);
	int *mine = table;
	int first = mine[0]; /* here */
	pthread_join(t, 0);
	free(table);
	return first;
}
