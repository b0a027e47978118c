/* expect: holds
 * what: what the formats print
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#define prints(expected, ...) \
	assert(snprintf(text, sizeof text, __VA_ARGS__) == (int)strlen(expected) && strcmp(text, expected) == 0)

int main(void)
{
	char text[64];
	prints("42", "%d", 42);
	prints("[   42]", "[%5d]", 42);
	prints("[42   ]", "[%-5d]", 42);
	prints("00042", "%05d", 42);
	prints("+42 -42", "%+d %+d", 42, -42);
	prints("2a 2A 0x2a 52", "%x %X %#x %o", 42, 42, 42, 42);
	prints("4294967295", "%u", -1);
	prints("-9223372036854775808", "%ld", (-9223372036854775807L - 1));
	prints("a b%", "%c %s%%", 'a', "b");
	prints("abc|  abc|abc  ", "%.3s|%5s|%-5s", "abcdef", "abc", "abc");
	prints("3.14 3.1 3", "%.2f %.1f %.0f", 3.14159, 3.14159, 3.14159);
	prints("0.000000 -1.500000", "%f %f", 0.0, -1.5);
	prints("1.5e+10", "%.1e", 1.5e10);
	prints("0.1 1e+20 100000", "%g %g %g", 0.1, 1e20, 1e5);
	prints("  7|7  ", "%*d|%-*d", 3, 7, 3, 7);
	prints("-1 255 65535", "%hhd %hhu %hu", -1, 255, 65535);
	prints("12345678901 8", "%lld %zu", 12345678901LL, sizeof(long));
	prints("inf nan", "%f %f", 1.0 / 0.0, __builtin_nan(""));
	return 0;
}
