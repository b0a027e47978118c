/* expect: violated
 * fault: use-after-free
 * line: 14
 * what: printf of a text that was freed
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *text = strdup("gone");
	free(text);
	printf("%s\n", text); /* here */
	return 0;
}
