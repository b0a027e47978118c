/* expect: holds
 * what: a function is called through a pointer without parameters in its type
 */
#include <assert.h>

static int add(int a, int b)
{
	return a + b;
}

int main(void)
{
	int (*f)() = add;
	assert(f(3, 4) == 7);
	return 0;
}
