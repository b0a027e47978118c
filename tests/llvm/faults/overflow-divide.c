/* expect: violated
 * fault: overflow
 * line: 11
 * what: INT_MIN / -1
 */
#include <limits.h>

int main(void)
{
	volatile int a = INT_MIN, b = -1;
	return a / b > 0; /* here */
}
