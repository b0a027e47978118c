/* expect: violated
 * fault: leak
 * what: no destructor: what the key pointed to is lost with the thread
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *thread(void *argument)
{
	pthread_setspecific(key, malloc(4));
	return argument;
}

int main(void)
{
	pthread_t t;
	pthread_key_create(&key, 0);
	pthread_create(&t, 0, thread, 0);
	pthread_join(t, 0);
	pthread_key_delete(key);
	return 0;
}
