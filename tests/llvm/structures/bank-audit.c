/* expect: violated
 * fault: assertion
 * line: 34
 * what: an audit locks one account after the other and sees money in flight
 */
#include <assert.h>
#include <pthread.h>

struct account { pthread_mutex_t lock; int money; };

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 10}, {PTHREAD_MUTEX_INITIALIZER, 10}};

static void *transfer(void *argument)
{
	pthread_mutex_lock(&accounts[0].lock);
	pthread_mutex_lock(&accounts[1].lock);
	accounts[0].money -= 3;
	accounts[1].money += 3;
	pthread_mutex_unlock(&accounts[1].lock);
	pthread_mutex_unlock(&accounts[0].lock);
	return argument;
}

int main(void)
{
	pthread_t t;
	int sum = 0;
	pthread_create(&t, 0, transfer, 0);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&accounts[i].lock);
		sum += accounts[i].money;
		pthread_mutex_unlock(&accounts[i].lock);
	}
	assert(sum == 20); /* here */
	pthread_join(t, 0);
	return 0;
}
