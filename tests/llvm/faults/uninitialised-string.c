/* expect: violated
 * fault: uninitialised
 * line: 13
 * what: the length of a text that was never written
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *text = malloc(8);
	text[7] = 0;
	unsigned long n = strlen(text); /* here */
	free(text);
	return n > 7;
}
