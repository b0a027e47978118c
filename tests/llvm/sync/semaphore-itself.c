/* expect: violated
 * fault: deadlock
 * what: a semaphore with one unit is taken twice by the same thread
 */
#include <semaphore.h>

int main(void)
{
	sem_t s;
	sem_init(&s, 0, 1);
	sem_wait(&s);
	sem_wait(&s);
	sem_post(&s);
	sem_destroy(&s);
	return 0;
}
