/* expect: violated
 * fault: invalid-free
 * line: 11
 * what: frees a string constant
 */
#include <stdlib.h>

int main(void)
{
	char *volatile text = "text";
	free(text); /* here */
	return 0;
}
