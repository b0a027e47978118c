/* expect: violated
 * fault: misuse
 * line: 10
 * what: the first of the numbered arguments is left out: its type is not known
 */
#include <stdio.h>

int main(void)
{
	printf("%2$d\n", 1.5, 2); /* here */
	return 0;
}
