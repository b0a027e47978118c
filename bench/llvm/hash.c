/* A hash table without a lock, with open addressing: T threads enter N keys each, and count. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef T
#define T 4
#endif
#ifndef N
#define N 5
#endif
#ifndef SIZE
#define SIZE 32
#endif

static atomic_int keys[SIZE];         /* 0 where there is none */
static atomic_int used;

/* 1 where the key is new. */
static int enter(int key)
{
	for (unsigned i = (unsigned)key;; i++) {
		int there = atomic_load(&keys[i % SIZE]);
		if (!there && atomic_compare_exchange_strong(&keys[i % SIZE], &there, key)) {
			atomic_fetch_add(&used, 1);
			return 1;
		}
		if (there == key)
			return 0;
	}
}

/* Neighbouring threads share a key. */
static void *thread(void *number)
{
	int first = 1 + (int)(intptr_t)number * (N - 1);

	for (int i = 0; i < N; i++)
		enter(first + i);
	return 0;
}

int main(void)
{
	pthread_t threads[T];

	for (int t = 0; t < T; t++)
		pthread_create(&threads[t], 0, thread, (void *)(intptr_t)t);
	for (int t = 0; t < T; t++)
		pthread_join(threads[t], 0);
	assert(used == T * (N - 1) + 1);
	for (int key = 1; key <= used; key++)
		assert(!enter(key));
	return 0;
}
