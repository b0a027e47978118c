/* expect: holds
 * what: the C locale
 */
#define _GNU_SOURCE
#include <assert.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <string.h>

int main(void)
{
	assert(!strcmp(setlocale(LC_ALL, NULL), "C") && setlocale(LC_ALL, "C") && !setlocale(LC_ALL, "xx_YY"));
	struct lconv *conventions = localeconv();
	assert(!strcmp(conventions->decimal_point, ".") && !*conventions->thousands_sep && !*conventions->grouping);
	assert(conventions->frac_digits == CHAR_MAX);
	assert(!strcmp(nl_langinfo(CODESET), "ANSI_X3.4-1968"));
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	assert(c);
	freelocale(c);
	return 0;
}
