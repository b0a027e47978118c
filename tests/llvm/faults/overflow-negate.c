/* expect: violated
 * fault: overflow
 * line: 10
 * what: -INT_MIN
 */
#include <limits.h>

static int absolute(int x)
{
	return x < 0 ? -x : x; /* here */
}

int main(void)
{
	return absolute(-5) + absolute(INT_MIN) < 0;
}
