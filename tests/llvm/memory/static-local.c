/* expect: holds
 * what: static local variables keep their values, each function its own
 */
#include <assert.h>

static int next(void)
{
	static int n = 10;
	return n++;
}

static int other(void)
{
	static int n;
	return ++n;
}

int main(void)
{
	assert(next() == 10);
	assert(next() == 11);
	assert(other() == 1 && other() == 2 && next() == 12);
	return 0;
}
