/* expect: violated
 * fault: bounds
 * line: 12
 * what: memset over the end of an array
 */
#include <string.h>

int main(void)
{
	char a[10];
	volatile unsigned long n = 11;
	memset(a, 0, n); /* here */
	return a[0];
}
