/* expect: violated
 * fault: bounds
 * line: 11
 * what: printf of a text without an end
 */
#include <stdio.h>

int main(void)
{
	char text[2] = {'o', 'k'};
	printf("%s\n", text); /* here */
	return 0;
}
