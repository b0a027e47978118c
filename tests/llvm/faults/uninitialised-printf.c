/* expect: violated
 * fault: uninitialised
 * line: 13
 * what: an undefined value is printed
 */
#include <stdio.h>

int main(void)
{
	int x;
	int *volatile address = &x;
	(void)address;
	printf("%d\n", x); /* here */
	return 0;
}
