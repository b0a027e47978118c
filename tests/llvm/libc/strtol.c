/* expect: holds
 * what: numbers from text: bases, ends, ranges
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void)
{
	char *end;
	const char *text = "  -42abc";
	assert(strtol(text, &end, 10) == -42 && end == text + 5);
	assert(strtol("0x1F", &end, 0) == 31 && *end == 0);
	assert(strtol("077", 0, 0) == 63 && strtol("077", 0, 10) == 77 && strtol("zz", 0, 36) == 1295);
	assert(strtol("101", 0, 2) == 5);
	text = "none";
	assert(strtol(text, &end, 10) == 0 && end == text);
	errno = 0;
	assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
	errno = 0;
	assert(strtol("-99999999999999999999", 0, 10) == LONG_MIN && errno == ERANGE);
	assert(strtoul("18446744073709551615", 0, 10) == ULONG_MAX);
	assert(atoi("12x") == 12 && atol("-7") == -7 && atoi("") == 0);
	assert(strtod("2.5e1", &end) == 25.0 && *end == 0 && atof("-0.5") == -0.5);
	return 0;
}
