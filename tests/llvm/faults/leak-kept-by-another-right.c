/* expect: holds
 * what: a variable that is not read again is all that is left to one thread of what it has given away; the other one passes it on, takes it back, frees it
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int value;
};

static _Atomic(struct node *) given, passed;
static atomic_int noise, done;

static void give(int value)
{
	struct node *node = malloc(sizeof *node), *behind = malloc(sizeof *behind);

	node->next = behind;
	node->value = value;
	behind->next = 0;
	behind->value = value + 1;
	atomic_store(&given, node);
	while (atomic_load(&done) <= value)
		;
}

static void *giver(void *unused)
{
	for (int i = 0; i < 2; i++)
		give(i);
	return unused;
}

static void *taker(void *unused)
{
	for (int i = 0; i < 2; i++) {
		struct node *node;

		while (!(node = atomic_exchange(&given, 0)))
			;
		if (atomic_load(&noise)) {
			atomic_store(&passed, node);
			node = atomic_exchange(&passed, 0);
		}
		struct node *behind = node->next;
		free(node);
		atomic_store(&noise, 0);
		free(behind);
		atomic_store(&done, i + 1);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], 0, giver, 0);
	pthread_create(&threads[1], 0, taker, 0);
	for (int i = 0; i < 3; i++)
		atomic_fetch_xor(&noise, 1);
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	return 0;
}
