/* expect: violated
 * fault: bounds
 * line: 29
 * what: threads take a slot each that is there only once; in one interleaving the count goes over the end
 */
#include <pthread.h>

static int slots[3];
static volatile int next;

static void *thread(void *argument)
{
	if (next < 1) {
		int mine = next++;
		slots[mine] = 1;
	}
	return argument;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_create(&c, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	slots[next] = 2; /* here */
	return 0;
}
