/* expect: violated
 * fault: overflow
 * line: 11
 * what: INT_MIN - 1
 */
#include <limits.h>

int main(void)
{
	volatile int x = INT_MIN;
	return x - 1 > 0; /* here */
}
