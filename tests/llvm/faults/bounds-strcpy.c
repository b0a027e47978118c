/* expect: violated
 * fault: bounds
 * line: 12
 * what: the ending zero of a string has no room
 */
#include <string.h>

int main(void)
{
	char small[5];
	const char *volatile text = "hello";
	strcpy(small, text); /* here */
	return 0;
}
