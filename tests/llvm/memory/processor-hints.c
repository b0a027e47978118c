/* expect: holds
 * what: pauses and fences of a processor do nothing
 */
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>

static volatile int flag, data;

static void *thread(void *unused)
{
	(void)unused;
	data = 1;
	_mm_sfence();
	flag = 1;
	return 0;
}

int main(void)
{
	pthread_t other;

	pthread_create(&other, 0, thread, 0);
	while (!flag)
		_mm_pause();
	_mm_lfence();
	assert(data == 1);
	_mm_mfence();
	pthread_join(other, 0);
	return 0;
}
