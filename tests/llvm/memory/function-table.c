/* expect: holds
 * what: a table of functions
 */
#include <assert.h>

typedef int operation(int, int);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }

static operation *const table[] = {add, subtract, multiply};

static operation *choose(char c)
{
	return c == '+' ? table[0] : c == '-' ? table[1] : table[2];
}

int main(void)
{
	assert(table[0](3, 4) == 7 && table[1](3, 4) == -1 && table[2](3, 4) == 12);
	assert(choose('-')(5, 2) == 3);
	assert(choose('+') == add && choose('*') != add);
	return 0;
}
