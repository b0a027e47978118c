/* expect: violated
 * fault: unreachable
 * line: 29
 * what: a state that the programmer thought impossible
 */
#include <pthread.h>

static volatile int state;

static void *thread(void *argument)
{
	state = 1;
	state = 2;
	return argument;
}

int main(void)
{
	pthread_t t;
	int seen = 0;
	pthread_create(&t, 0, thread, 0);
	switch (state) {
	case 0:
		break;
	case 2:
		seen = 1;
		break;
	default:
		__builtin_unreachable(); /* here */
	}
	pthread_join(t, 0);
	return seen > 1;
}
