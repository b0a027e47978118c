/* expect: holds
 * what: the middle of two long indexes without overflow
 */
#include <limits.h>

static long middle(long low, long high)
{
	return low + (high - low) / 2;
}

int main(void)
{
	return middle(0, 100) != 50 || middle(LONG_MAX - 10, LONG_MAX) != LONG_MAX - 5;
}
