/* expect: holds
 * what: inline assembler of fences and hints only does nothing; what goes through it stays the same
 */
#include <assert.h>
#include <pthread.h>

static volatile int flag, data;

static void *thread(void *unused)
{
	(void)unused;
	data = 1;
	__asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
	flag = 1;
	return 0;
}

int main(void)
{
	pthread_t other;
	int x = 3, y = 4, *p = &x;

	pthread_create(&other, 0, thread, 0);
	while (!flag)
		__asm__ volatile("rep; nop" ::: "memory");
	__asm__ volatile("mfence\n\tlfence\n\tsfence" ::: "memory");
	assert(data == 1);
	__asm__ volatile("pause");
	__asm__ volatile("nop" : "+r"(p));
	__asm__ volatile("" : "+r"(x), "+r"(y) : "r"(p));
	__asm__ volatile("" : "+m"(x) : : "memory");
	assert(*p == 3 && y == 4);
	pthread_join(other, 0);
	return 0;
}
