/* expect: holds
 * what: floating-point numbers that fit after their fraction is cut off
 */
#include <limits.h>

int main(void)
{
	volatile double a = 2147483647.9, b = -2147483648.9, c = 3e9, d = -0.9, e = 255.5;
	if ((int)a != INT_MAX || (int)b != INT_MIN)
		return 1;
	if ((unsigned)c != 3000000000u || (long)c != 3000000000l)
		return 1;
	return (unsigned)d != 0 || (unsigned char)e != 255;
}
