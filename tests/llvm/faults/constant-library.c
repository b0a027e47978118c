/* expect: violated
 * fault: constant
 * line: 11
 * what: a library function writes to a string constant
 */
#include <string.h>

int main(void)
{
	char *volatile text = "hello, world";
	strcpy(text, "bye"); /* here */
	return 0;
}
