/* R readers and W writers share two variables under a read-write lock, N times each. */
#include <assert.h>
#include <pthread.h>

#ifndef R
#define R 3
#endif
#ifndef W
#define W 2
#endif
#ifndef N
#define N 2
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *reader(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++) {
		pthread_rwlock_rdlock(&lock);
		assert(x == y);
		pthread_rwlock_unlock(&lock);
	}
	return 0;
}

static void *writer(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++) {
		pthread_rwlock_wrlock(&lock);
		x++;
		y++;
		pthread_rwlock_unlock(&lock);
	}
	return 0;
}

int main(void)
{
	pthread_t threads[R + W];

	for (int t = 0; t < R + W; t++)
		pthread_create(&threads[t], 0, t < R ? reader : writer, 0);
	for (int t = 0; t < R + W; t++)
		pthread_join(threads[t], 0);
	assert(x == W * N && y == W * N);
	return 0;
}
