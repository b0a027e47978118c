/* expect: violated
 * fault: dangling
 * line: 22
 * what: a thread gives back the address of its own variable
 */
#include <pthread.h>

static void *thread(void *argument)
{
	int local = 1;
	void *volatile address = &local;
	(void)argument;
	return address;
}

int main(void)
{
	pthread_t t;
	void *result;
	pthread_create(&t, 0, thread, 0);
	pthread_join(t, &result);
	return *(int *)result; /* here */
}
