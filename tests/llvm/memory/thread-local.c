/* expect: holds
 * what: every thread has its own copy, with its first value
 */
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine = 5;
static _Thread_local int *where;
static _Thread_local char bytes[4] = "abc";

static void *thread(void *argument)
{
	assert(mine == 5 && where == 0 && bytes[0] == 'a');
	mine += *(int *)argument;
	where = &mine;
	bytes[0]++;
	assert(*where == 5 + *(int *)argument && bytes[0] == 'b');
	return 0;
}

int main(void)
{
	pthread_t a, b;
	int one = 1, two = 2;
	mine = 100;
	pthread_create(&a, 0, thread, &one);
	pthread_create(&b, 0, thread, &two);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(mine == 100 && where == 0 && bytes[0] == 'a');
	return 0;
}
