/* <locale.h>, <langinfo.h>: there is one locale, "C". */
#include "runtime.h"

#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <string.h>

static int is_ours(const char *name) {
    return !*name || !strcmp(name, "C") || !strcmp(name, "POSIX");
}

char *setlocale(int category, const char *name) {
    int known = category >= LC_CTYPE && category <= LC_IDENTIFICATION;
    return known && (!name || is_ours(name)) ? "C" : NULL;
}

struct lconv *localeconv(void) {
    static struct lconv conventions = {
        .decimal_point = ".",
        .thousands_sep = "",
        .grouping = "",
        .int_curr_symbol = "",
        .currency_symbol = "",
        .mon_decimal_point = "",
        .mon_thousands_sep = "",
        .mon_grouping = "",
        .positive_sign = "",
        .negative_sign = "",
        .int_frac_digits = CHAR_MAX,
        .frac_digits = CHAR_MAX,
        .p_cs_precedes = CHAR_MAX,
        .p_sep_by_space = CHAR_MAX,
        .n_cs_precedes = CHAR_MAX,
        .n_sep_by_space = CHAR_MAX,
        .p_sign_posn = CHAR_MAX,
        .n_sign_posn = CHAR_MAX,
        .int_p_cs_precedes = CHAR_MAX,
        .int_p_sep_by_space = CHAR_MAX,
        .int_n_cs_precedes = CHAR_MAX,
        .int_n_sep_by_space = CHAR_MAX,
        .int_p_sign_posn = CHAR_MAX,
        .int_n_sign_posn = CHAR_MAX,
    };
    return &conventions;
}

char *nl_langinfo(nl_item item) {
    if (item != CODESET && item != RADIXCHAR && item != THOUSEP)
        __auspex_fault("unsupported", "nl_langinfo of something other than CODESET, RADIXCHAR and THOUSEP");
    return item == CODESET ? "ANSI_X3.4-1968" : item == RADIXCHAR ? "." : "";
}

/* ---- locales as objects: nobody looks into one ---- */

static const char the_locale;

locale_t newlocale(int categories, const char *name, locale_t base) {
    (void)categories, (void)base;
    if (is_ours(name))
        return (locale_t)&the_locale;
    errno = ENOENT;
    return (locale_t)0;
}

locale_t duplocale(locale_t locale) {
    return locale;
}

void freelocale(locale_t locale) {
    (void)locale;
}

locale_t uselocale(locale_t locale) {
    (void)locale;
    return (locale_t)&the_locale;
}
