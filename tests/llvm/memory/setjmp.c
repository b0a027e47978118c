/* expect: holds
 * what: longjmp out of nested calls, several times
 */
#include <assert.h>
#include <setjmp.h>

static jmp_buf where;
static volatile int depth;

static void dive(int n)
{
	depth++;
	if (n == 0)
		longjmp(where, depth);
	dive(n - 1);
	assert(0);
}

int main(void)
{
	volatile int rounds = 0;
	int result = setjmp(where);
	rounds++;
	if (result == 0)
		dive(2);
	if (result == 3)
		dive(0);
	assert(result == 4 && rounds == 3);
	return 0;
}
