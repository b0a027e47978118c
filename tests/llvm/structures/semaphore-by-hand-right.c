/* expect: holds
 * what: a semaphore made of a mutex and a condition
 */
#include <assert.h>
#include <pthread.h>

struct semaphore { pthread_mutex_t lock; pthread_cond_t posted; int units; };

static struct semaphore s = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 1};
static volatile int inside;

static void take(struct semaphore *p)
{
	pthread_mutex_lock(&p->lock);
	while (p->units == 0)
		pthread_cond_wait(&p->posted, &p->lock);
	p->units--;
	pthread_mutex_unlock(&p->lock);
}

static void give(struct semaphore *p)
{
	pthread_mutex_lock(&p->lock);
	p->units++;
	pthread_cond_signal(&p->posted);
	pthread_mutex_unlock(&p->lock);
}

static void *thread(void *argument)
{
	take(&s);
	inside++;
	assert(inside == 1);
	inside--;
	give(&s);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(s.units == 1);
	return 0;
}
