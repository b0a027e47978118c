/* expect: violated
 * fault: use-after-free
 * line: 13
 * what: a library function reads a freed block
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *text = strdup("text");
	free(text);
	return strcmp(text, "text"); /* here */
}
