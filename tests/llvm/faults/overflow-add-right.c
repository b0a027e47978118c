/* expect: holds
 * what: unsigned numbers and short ones wrap around, signed ones are stopped at the limit
 */
#include <limits.h>

int main(void)
{
	unsigned u = UINT_MAX;
	u = u + 1;
	unsigned char c = 255;
	c++;
	short s = SHRT_MAX;
	s++;
	int x = INT_MAX - 2;
	for (int i = 0; i < 3; i++)
		if (x < INT_MAX)
			x = x + 1;
	return !(u == 0 && c == 0 && s == SHRT_MIN && x == INT_MAX);
}
