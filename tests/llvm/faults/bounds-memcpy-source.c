/* expect: violated
 * fault: bounds
 * line: 12
 * what: memcpy reads past the end of its source
 */
#include <string.h>

int main(void)
{
	char from[3] = {1, 2, 3}, to[8];
	volatile unsigned long n = sizeof to;
	memcpy(to, from, n); /* here */
	return 0;
}
