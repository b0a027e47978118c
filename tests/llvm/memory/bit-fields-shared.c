/* expect: violated
 * fault: assertion
 * line: 23
 * what: two threads write neighbouring bit-fields: one write is lost
 */
#include <assert.h>
#include <pthread.h>

static volatile struct { unsigned a : 4, b : 4; } x;

static void *thread(void *argument)
{
	x.b = 3;
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	x.a = 5;
	pthread_join(t, 0);
	assert(x.a == 5 && x.b == 3); /* here */
	return 0;
}
