/* expect: violated
 * fault: bounds
 * line: 11
 * what: strlen of a text without an ending zero
 */
#include <string.h>

int main(void)
{
	char text[3] = {'a', 'b', 'c'};
	return strlen(text) == 3; /* here */
}
