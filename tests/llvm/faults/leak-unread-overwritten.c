/* expect: violated
 * fault: leak
 * line: 18
 * what: a variable that is not read any more gets another value: what it pointed to is lost then
 */
#include <pthread.h>
#include <stdlib.h>

static volatile int go;

static void *thread(void *argument)
{
	char *p = malloc(3);
	p[0] = 1;
	while (!go)
		;
	p = argument;
	while (go)
		;
	return p;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread, 0);
	go = 1;
	go = 0;
	pthread_exit(0);
}
