/* expect: violated
 * fault: leak
 * what: one thread forgets what another one has only in a variable that it does not read again: it is lost when that one's function ends
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) given;
static atomic_int noise, done;

static void give(void)
{
	int *memory = malloc(sizeof *memory);

	*memory = 1;
	atomic_store(&given, memory);
	while (!atomic_load(&done))
		;
}

static void *giver(void *unused)
{
	give();
	atomic_load(&noise);
	return unused;
}

static void *taker(void *unused)
{
	int *memory;

	while (!(memory = atomic_exchange(&given, 0)))
		;
	if (!atomic_load(&noise))
		free(memory);
	memory = 0;
	atomic_store(&done, 1);
	for (;;)
		atomic_fetch_xor(&noise, 2);
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], 0, giver, 0);
	pthread_create(&threads[1], 0, taker, 0);
	atomic_fetch_xor(&noise, 1);
	atomic_fetch_xor(&noise, 1);
	for (;;)
		;
}
