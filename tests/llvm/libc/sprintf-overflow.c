/* expect: violated
 * fault: bounds
 * line: 12
 * what: sprintf writes more than there is room for
 */
#include <stdio.h>

int main(void)
{
	char text[8];
	volatile int number = 1234567;
	sprintf(text, "n=%d", number); /* here */
	return 0;
}
