/* expect: holds
 * what: recursive functions
 */
#include <assert.h>

static int ackermann(int m, int n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

static int hanoi(int n, int from, int to)
{
	return n == 0 ? 0 : hanoi(n - 1, from, 6 - from - to) + 1 + hanoi(n - 1, 6 - from - to, to);
}

int main(void)
{
	assert(ackermann(2, 3) == 9);
	assert(hanoi(5, 1, 3) == 31);
	return 0;
}
