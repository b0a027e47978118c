/* expect: holds
 * what: formats that number their arguments, in a va_list
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char text[40];

__attribute__((format(printf, 1, 2))) static int format(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return length;
}

int main(void)
{
	assert(format("%3$s %1$d %2$g %4$Lg", 7, 2.5, "x", 0.5L) == 11 && !strcmp(text, "x 7 2.5 0.5"));
	assert(format("%2$*1$d", 4, 42) == 4 && !strcmp(text, "  42"));
	return 0;
}
