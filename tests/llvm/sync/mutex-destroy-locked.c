/* expect: violated
 * fault: misuse
 * line: 14
 * what: a mutex is destroyed while it is locked
 */
#include <assert.h>
#include <pthread.h>

int main(void)
{
	pthread_mutex_t m;
	pthread_mutex_init(&m, 0);
	pthread_mutex_lock(&m);
	pthread_mutex_destroy(&m); /* here */
	return 0;
}
