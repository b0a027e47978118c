/* expect: holds
 * what: two threads lock two global mutexes in the order of their addresses
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct account {
	pthread_mutex_t lock;
	int balance;
};

static struct account a = { PTHREAD_MUTEX_INITIALIZER, 5 }, b = { PTHREAD_MUTEX_INITIALIZER, 5 };

static void move(struct account *from, struct account *to)
{
	struct account *first = (uintptr_t)from < (uintptr_t)to ? from : to;
	struct account *second = first == from ? to : from;

	pthread_mutex_lock(&first->lock);
	pthread_mutex_lock(&second->lock);
	from->balance--;
	to->balance++;
	pthread_mutex_unlock(&second->lock);
	pthread_mutex_unlock(&first->lock);
}

static void *thread(void *unused)
{
	(void)unused;
	move(&a, &b);
	return 0;
}

int main(void)
{
	pthread_t other;

	pthread_create(&other, 0, thread, 0);
	move(&b, &a);
	pthread_join(other, 0);
	assert(a.balance == 5 && b.balance == 5);
	return 0;
}
