/* expect: violated
 * fault: assertion
 * line: 24
 * what: a copy out of shared memory is one thing that others may notice, the read after it another
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
int g;

void *t(void *a)
{
	g = 1;
	return a;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, 0, t, 0);
	int l;
	memcpy(&l, &g, 4);
	int k = g;
	assert(l == k); /* here */
	pthread_join(a, 0);
	return 0;
}
