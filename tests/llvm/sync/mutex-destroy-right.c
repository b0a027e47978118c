/* expect: holds
 * what: a mutex is destroyed when nobody needs it any more, and made anew
 */
#include <assert.h>
#include <pthread.h>

int main(void)
{
	pthread_mutex_t m;
	for (int i = 0; i < 2; i++) {
		pthread_mutex_init(&m, 0);
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
		assert(pthread_mutex_destroy(&m) == 0);
	}
	return 0;
}
