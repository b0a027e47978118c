/* expect: holds
 * what: trywait, timedwait and getvalue
 */
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

int main(void)
{
	sem_t s;
	int value;
	struct timespec past = {0, 0};
	sem_init(&s, 0, 1);
	assert(sem_getvalue(&s, &value) == 0 && value == 1);
	assert(sem_trywait(&s) == 0);
	assert(sem_getvalue(&s, &value) == 0 && value == 0);
	errno = 0;
	assert(sem_trywait(&s) == -1 && errno == EAGAIN);
	errno = 0;
	assert(sem_timedwait(&s, &past) == -1 && errno == ETIMEDOUT);
	sem_post(&s);
	sem_post(&s);
	assert(sem_getvalue(&s, &value) == 0 && value == 2);
	assert(sem_timedwait(&s, &past) == 0);
	sem_destroy(&s);
	return 0;
}
