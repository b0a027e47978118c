/* expect: holds
 * what: a text without an end may be printed when its length is limited
 */
#include <stdio.h>

int main(void)
{
	char text[2] = {'o', 'k'};
	printf("%.2s %.*s\n", text, 1, text);
	puts("and a line");
	putchar('\n');
	fprintf(stderr, "%s\n", "an error");
	return 0;
}
