/* expect: violated
 * fault: null
 * line: 11
 * what: a library function is given null
 */
#include <string.h>

int main(void)
{
	const char *volatile text = 0;
	return strlen(text) == 0; /* here */
}
