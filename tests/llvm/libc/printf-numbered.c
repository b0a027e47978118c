/* expect: holds
 * what: formats that number their arguments
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	char text[40];
	assert(snprintf(text, sizeof text, "%2$s-%1$d-%2$.1s", 5, "ab") == 6 && !strcmp(text, "ab-5-a"));
	snprintf(text, sizeof text, "%3$*1$.*2$f|%4$lld%%", 6, 2, 1.5, 1ll << 40);
	assert(!strcmp(text, "  1.50|1099511627776%"));
	printf("%1$s %1$s\n", "twice");
	return 0;
}
