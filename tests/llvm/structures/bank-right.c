/* expect: holds
 * what: transfers lock both accounts in the order of their addresses, and no money is lost
 */
#include <assert.h>
#include <pthread.h>

struct account { pthread_mutex_t lock; int money; };

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 10}, {PTHREAD_MUTEX_INITIALIZER, 10}};

static void transfer(struct account *from, struct account *to, int amount)
{
	struct account *first = from < to ? from : to, *second = from < to ? to : from;
	pthread_mutex_lock(&first->lock);
	pthread_mutex_lock(&second->lock);
	from->money -= amount;
	to->money += amount;
	pthread_mutex_unlock(&second->lock);
	pthread_mutex_unlock(&first->lock);
}

static void *forwards(void *argument)
{
	transfer(&accounts[0], &accounts[1], 3);
	return argument;
}

static void *backwards(void *argument)
{
	transfer(&accounts[1], &accounts[0], 4);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, forwards, 0);
	pthread_create(&b, 0, backwards, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(accounts[0].money == 11 && accounts[1].money == 9);
	return 0;
}
