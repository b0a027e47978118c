/* expect: violated
 * fault: overflow
 * line: 12
 * what: INT_MAX + 1
 */
#include <limits.h>

int main(void)
{
	int x = INT_MAX - 2;
	for (int i = 0; i < 3; i++)
		x = x + 1; /* here */
	return x == 0;
}
