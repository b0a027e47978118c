/* expect: holds
 * what: a hash table that grows while another thread looks something up; the lock is held all the time
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *table;                     /* a key or 0 in every place */
static unsigned size = 2, used;

static void enter(int *places, unsigned n, int key)
{
	unsigned i = (unsigned)key % n;
	while (places[i])
		i = (i + 1) % n;
	places[i] = key;
}

static void add(int key)
{
	pthread_mutex_lock(&m);
	if (used + 1 == size) {
		int *larger = calloc(2 * size, sizeof *larger);
		for (unsigned i = 0; i < size; i++)
			if (table[i])
				enter(larger, 2 * size, table[i]);
		free(table);
		table = larger;
		size *= 2;
	}
	enter(table, size, key);
	used++;
	pthread_mutex_unlock(&m);
}

static int contains(int key)
{
	pthread_mutex_lock(&m);
	unsigned i = (unsigned)key % size;
	while (table[i] && table[i] != key)
		i = (i + 1) % size;
	int found = table[i] == key;
	pthread_mutex_unlock(&m);
	return found;
}

static void *thread(void *argument)
{
	add(5);
	return argument;
}

int main(void)
{
	pthread_t t;
	table = calloc(size, sizeof *table);
	add(3);
	pthread_create(&t, 0, thread, 0);
	assert(contains(3));
	pthread_join(t, 0);
	assert(contains(3) && contains(5) && !contains(7));
	free(table);
	return 0;
}
