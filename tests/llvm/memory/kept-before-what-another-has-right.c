/* expect: holds
 * what: a variable that is not read again leads to memory of another thread; that makes it no memory that both can see
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int value;
};

static atomic_int noise;

static void *thread(void *argument)
{
	struct node *mine = argument;

	for (;;) {
		mine->value = 0;
		mine->value++;
		atomic_fetch_xor(&noise, 2);
		assert(mine->value == 1);
		mine->next = malloc(sizeof *mine);
		mine->next->next = 0;
		atomic_fetch_xor(&noise, 4);
		free(mine->next);
		mine->next = 0;
	}
	return 0;
}

int main(void)
{
	struct node *first = malloc(sizeof *first);
	pthread_t other;

	first->value = 1;
	first->next = malloc(sizeof *first);
	first->next->next = 0;
	pthread_create(&other, 0, thread, first->next);
	for (;;)
		atomic_fetch_xor(&noise, 1);
}
