/* expect: violated
 * fault: overflow
 * line: 10
 * what: the middle of two long indexes
 */
#include <limits.h>

static long middle(long low, long high)
{
	return (low + high) / 2; /* here */
}

int main(void)
{
	return middle(0, 100) != 50 || middle(LONG_MAX - 10, LONG_MAX) < 0;
}
