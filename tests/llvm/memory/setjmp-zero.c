/* expect: violated
 * fault: assertion
 * line: 17
 * what: longjmp with 0 makes setjmp return 1
 */
#include <assert.h>
#include <setjmp.h>

static jmp_buf where;

int main(void)
{
	volatile int again = 0;
	int result = setjmp(where);
	if (again++ == 0)
		longjmp(where, 0);
	assert(result == 0); /* here */
	return 0;
}
