/* expect: holds
 * what: whether a variable that is not read again has its memory for itself depends on a global variable that the step does not look at
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) global;
static atomic_int noise, sum;
static pthread_t other;

static void look_at(int *memory)
{
	atomic_fetch_add(&sum, 1);
	atomic_fetch_add(&sum, memory != 0);
	atomic_fetch_add(&sum, 1);
}

static void *thread(void *unused)
{
	for (;;)
		atomic_fetch_xor(&noise, 1);
	return unused;
}

int main(void)
{
	pthread_create(&other, 0, thread, 0);
	for (;;) {
		int *memory = malloc(sizeof *memory);

		*memory = 0;
		if (!atomic_load(&noise))
			atomic_store(&global, memory);
		look_at(memory);
		atomic_store(&global, 0);
		free(memory);
		atomic_store(&sum, 0);
	}
}
