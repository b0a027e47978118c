/* <wchar.h>: strings and arrays of wide characters, numbers from them. To and from bytes: multibyte.c. */
#include "runtime.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#define CHARACTER wchar_t
#include "integer.h"

/* ---- arrays. Copies are the machine's: it checks bounds and overlaps, and keeps what is uninitialised so. ---- */

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count) {
    return memcpy(to, from, count * sizeof *to);
}

wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count) {
    return wmemcpy(to, from, count) + count;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
    return memmove(to, from, count * sizeof *to);
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = c;
    return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count) {
    for (; count; a++, b++, count--)
        if (*a != *b)
            return *a < *b ? -1 : 1;
    return 0;
}

wchar_t *wmemchr(const wchar_t *memory, wchar_t c, size_t count) {
    for (; count; memory++, count--)
        if (*memory == c)
            return (wchar_t *)memory;
    return NULL;
}

/* ---- strings ---- */

size_t wcslen(const wchar_t *text) {
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

size_t wcsnlen(const wchar_t *text, size_t most) {
    size_t length = 0;
    while (length < most && text[length])
        length++;
    return length;
}

wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from) {
    size_t length = wcslen(from);
    wmemcpy(to, from, length + 1);
    return to + length;
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
    wcpcpy(to, from);
    return to;
}

wchar_t *wcpncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t size) {
    size_t length = wcsnlen(from, size);
    wmemcpy(to, from, length);
    wmemset(to + length, 0, size - length);
    return to + length;
}

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t size) {
    wcpncpy(to, from, size);
    return to;
}

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) {
    wcscpy(to + wcslen(to), from);
    return to;
}

wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t most) {
    wchar_t *end = to + wcslen(to);
    size_t length = wcsnlen(from, most);
    wmemcpy(end, from, length);
    end[length] = 0;
    return to;
}

wchar_t *wcsdup(const wchar_t *text) {
    size_t count = wcslen(text) + 1;
    wchar_t *copy = malloc(count * sizeof *copy);
    return copy ? wmemcpy(copy, text, count) : NULL;
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t most) {
    for (; most; a++, b++, most--) {
        if (*a != *b)
            return *a < *b ? -1 : 1;
        if (!*a)
            break;
    }
    return 0;
}

int wcscmp(const wchar_t *a, const wchar_t *b) {
    return wcsncmp(a, b, SIZE_MAX);
}

int wcscoll(const wchar_t *a, const wchar_t *b) {
    return wcscmp(a, b);
}

size_t wcsxfrm(wchar_t *restrict to, const wchar_t *restrict from, size_t size) {
    size_t length = wcslen(from);
    if (size)
        wmemcpy(to, from, length < size ? length + 1 : size);
    return length;
}

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t most) {
    for (; most; a++, b++, most--) {
        wint_t x = towlower(*a), y = towlower(*b);
        if (x != y)
            return x < y ? -1 : 1;
        if (!x)
            break;
    }
    return 0;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b) {
    return wcsncasecmp(a, b, SIZE_MAX);
}

wchar_t *wcschrnul(const wchar_t *text, wchar_t c) {
    while (*text && *text != c)
        text++;
    return (wchar_t *)text;
}

wchar_t *wcschr(const wchar_t *text, wchar_t c) {
    text = wcschrnul(text, c);
    return *text == c ? (wchar_t *)text : NULL;
}

wchar_t *wcsrchr(const wchar_t *text, wchar_t c) {
    const wchar_t *last = NULL;
    do
        if (*text == c)
            last = text;
    while (*text++);
    return (wchar_t *)last;
}

wchar_t *wcsstr(const wchar_t *hay, const wchar_t *needle) {
    for (size_t length = wcslen(needle);; hay++) {
        if (!wcsncmp(hay, needle, length))
            return (wchar_t *)hay;
        if (!*hay)
            return NULL;
    }
}

wchar_t *wcswcs(const wchar_t *hay, const wchar_t *needle) {
    return wcsstr(hay, needle);
}

size_t wcsspn(const wchar_t *text, const wchar_t *accepted) {
    size_t length = 0;
    while (text[length] && wcschr(accepted, text[length]))
        length++;
    return length;
}

size_t wcscspn(const wchar_t *text, const wchar_t *rejected) {
    size_t length = 0;
    while (text[length] && !wcschr(rejected, text[length]))
        length++;
    return length;
}

wchar_t *wcspbrk(const wchar_t *text, const wchar_t *wanted) {
    text += wcscspn(text, wanted);
    return *text ? (wchar_t *)text : NULL;
}

wchar_t *wcstok(wchar_t *restrict text, const wchar_t *restrict delimiters, wchar_t **restrict rest) {
    if (!text)
        text = *rest;
    if (!text)
        return NULL;
    text += wcsspn(text, delimiters);
    wchar_t *behind = text + wcscspn(text, delimiters);
    if (behind == text) {
        *rest = NULL;
        return NULL;
    }
    *rest = *behind ? behind + 1 : NULL;
    *behind = 0;
    return text;
}

/* ---- columns: of ASCII only ---- */

int wcwidth(wchar_t c) {
    return c ? iswprint(c) ? 1 : -1 : 0;
}

int wcswidth(const wchar_t *text, size_t most) {
    int width = 0;
    for (; most && *text; text++, most--) {
        if (wcwidth(*text) < 0)
            return -1;
        width++;
    }
    return width;
}

/* ---- numbers ---- */

#define SIGNED(name, type, min, max, flag)                                                                                     \
    type rt_##name(const wchar_t *text, wchar_t **end, int base) SYMBOL(name);                                                 \
    type rt_##name(const wchar_t *text, wchar_t **end, int base) {                                                             \
        return to_signed(read_integer(text, end, base | flag), min, max);                                                      \
    }
#define UNSIGNED(name, type, max, flag)                                                                                        \
    type rt_##name(const wchar_t *text, wchar_t **end, int base) SYMBOL(name);                                                 \
    type rt_##name(const wchar_t *text, wchar_t **end, int base) {                                                             \
        return to_unsigned(read_integer(text, end, base | flag), max);                                                         \
    }

SIGNED(wcstol, long, LONG_MIN, LONG_MAX, 0)
SIGNED(wcstoll, long long, LLONG_MIN, LLONG_MAX, 0)
SIGNED(wcstoimax, intmax_t, INTMAX_MIN, INTMAX_MAX, 0)
SIGNED(__isoc23_wcstol, long, LONG_MIN, LONG_MAX, C23)
SIGNED(__isoc23_wcstoll, long long, LLONG_MIN, LLONG_MAX, C23)
SIGNED(__isoc23_wcstoimax, intmax_t, INTMAX_MIN, INTMAX_MAX, C23)
UNSIGNED(wcstoul, unsigned long, ULONG_MAX, 0)
UNSIGNED(wcstoull, unsigned long long, ULLONG_MAX, 0)
UNSIGNED(wcstoumax, uintmax_t, UINTMAX_MAX, 0)
UNSIGNED(__isoc23_wcstoul, unsigned long, ULONG_MAX, C23)
UNSIGNED(__isoc23_wcstoull, unsigned long long, ULLONG_MAX, C23)
UNSIGNED(__isoc23_wcstoumax, uintmax_t, UINTMAX_MAX, C23)

/* How many characters may belong to a floating-point number: spaces, then letters, digits and what else may be in one. */
static size_t number_length(const wchar_t *text) {
    size_t n = 0;
    while (is_space(text[n]))
        n++;
    for (wchar_t before = 'e';; n++) {
        wchar_t c = text[n];
        int sign = (c == '-' || c == '+') && ((before | 32) == 'e' || (before | 32) == 'p');
        if (digit_value(c) == 99 && !sign && c != '.' && c != '(' && c != ')' && c != '_')
            return n;
        before = c;
    }
}

#define REAL(name, type, from)                                                                                                 \
    type name(const wchar_t *restrict text, wchar_t **restrict end) {                                                          \
        size_t length = number_length(text);                                                                                   \
        char *bytes = __auspex_allocate(length + 1), *behind;                                                                  \
        for (size_t i = 0; i < length; i++)                                                                                    \
            bytes[i] = (char)text[i];                                                                                          \
        type number = from(bytes, &behind);                                                                                    \
        if (end)                                                                                                               \
            *end = (wchar_t *)text + (behind - bytes);                                                                         \
        free(bytes);                                                                                                           \
        return number;                                                                                                         \
    }

REAL(wcstod, double, strtod)
REAL(wcstof, float, strtof)
REAL(wcstold, long double, strtold)
