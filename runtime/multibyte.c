/* Wide characters to and from bytes, in the C locale of glibc: both are ASCII, anything else is EILSEQ. There is no shift state:
   an mbstate_t is looked at, because it must be set, and never changed. */
#include "runtime.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>

#undef mbsinit
#undef btowc
#undef wctob
#undef mbrlen

static size_t illegal(void) {
    errno = EILSEQ;
    return -1;
}

int mbsinit(const mbstate_t *state) {
    return !state || state->__count == 0;
}

/* A state that nobody has set is reported here. */
static int look_at(const mbstate_t *state) {
    if (mbsinit(state))
        return 1;
    errno = EINVAL;
    return 0;
}

wint_t btowc(int c) {
    return c >= 0 && c < 128 ? (wint_t)c : WEOF;
}

int wctob(wint_t c) {
    return c < 128 ? (int)c : EOF;
}

/* ---- one character ---- */

size_t mbrtowc(wchar_t *restrict to, const char *restrict from, size_t size, mbstate_t *restrict state) {
    if (!look_at(state))
        return -1;
    if (!from)
        return 0;
    if (!size)
        return -2;
    unsigned char c = *from;
    if (c >= 128)
        return illegal();
    if (to)
        *to = c;
    return c != 0;
}

size_t wcrtomb(char *restrict to, wchar_t c, mbstate_t *restrict state) {
    if (!look_at(state))
        return -1;
    if (!to)
        return 1;
    if ((wint_t)c >= 128)
        return illegal();
    *to = (char)c;
    return 1;
}

size_t mbrlen(const char *restrict from, size_t size, mbstate_t *restrict state) {
    return mbrtowc(NULL, from, size, state);
}

size_t __mbrlen(const char *restrict from, size_t size, mbstate_t *restrict state) {
    return mbrlen(from, size, state);
}

int mbtowc(wchar_t *restrict to, const char *restrict from, size_t size) {
    size_t length = mbrtowc(to, from, size, NULL);
    return length == (size_t)-2 ? -1 : (int)length;
}

int mblen(const char *from, size_t size) {
    return mbtowc(NULL, from, size);
}

int wctomb(char *to, wchar_t c) {
    return to ? (int)wcrtomb(to, c, NULL) : 0;
}

size_t mbrtoc32(char32_t *restrict to, const char *restrict from, size_t size, mbstate_t *restrict state) {
    return mbrtowc((wchar_t *)to, from, size, state);
}

size_t c32rtomb(char *restrict to, char32_t c, mbstate_t *restrict state) {
    return wcrtomb(to, (wchar_t)c, state);
}

size_t mbrtoc16(char16_t *restrict to, const char *restrict from, size_t size, mbstate_t *restrict state) {
    wchar_t c = 0;
    size_t length = mbrtowc(&c, from, size, state);
    if (to && from && length <= 1)
        *to = (char16_t)c;
    return length;
}

size_t c16rtomb(char *restrict to, char16_t c, mbstate_t *restrict state) {
    return wcrtomb(to, c, state);
}

/* ---- strings. Without a place to put it only the length is wanted, and the source stays where it is. ---- */

size_t mbsnrtowcs(wchar_t *restrict to, const char **restrict from, size_t bytes, size_t size, mbstate_t *restrict state) {
    if (!look_at(state))
        return -1;
    const char *s = *from;
    for (size_t n = 0;; n++, s++) {
        if ((to && n == size) || n == bytes) {
            if (to)
                *from = s;
            return n;
        }
        if ((unsigned char)*s >= 128) {
            if (to)
                *from = s;
            return illegal();
        }
        if (to)
            to[n] = *s;
        if (!*s) {
            if (to)
                *from = NULL;
            return n;
        }
    }
}

size_t wcsnrtombs(char *restrict to, const wchar_t **restrict from, size_t count, size_t size, mbstate_t *restrict state) {
    if (!look_at(state))
        return -1;
    const wchar_t *s = *from;
    for (size_t n = 0;; n++, s++) {
        if ((to && n == size) || n == count) {
            if (to)
                *from = s;
            return n;
        }
        if ((wint_t)*s >= 128) {
            if (to)
                *from = s;
            return illegal();
        }
        if (to)
            to[n] = (char)*s;
        if (!*s) {
            if (to)
                *from = NULL;
            return n;
        }
    }
}

size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t size, mbstate_t *restrict state) {
    return mbsnrtowcs(to, from, -1, size, state);
}

size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t size, mbstate_t *restrict state) {
    return wcsnrtombs(to, from, -1, size, state);
}

size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t size) {
    const char *bytes = from;
    return mbsrtowcs(to, &bytes, size, NULL);
}

size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t size) {
    const wchar_t *text = from;
    return wcsrtombs(to, &text, size, NULL);
}

/* ---- input and output ---- */

wint_t fgetwc(FILE *file) {
    int c = fgetc(file);
    if (c < 128)
        return c == EOF ? WEOF : (wint_t)c;
    errno = EILSEQ;
    return WEOF;
}

wint_t getwc(FILE *file) {
    return fgetwc(file);
}

wint_t getwchar(void) {
    return fgetwc(stdin);
}

wint_t ungetwc(wint_t c, FILE *file) {
    return c < 128 ? (wint_t)ungetc((int)c, file) : WEOF;
}

wchar_t *fgetws(wchar_t *restrict line, int size, FILE *restrict file) {
    int n = 0;
    for (wint_t c = 0; n + 1 < size && c != '\n'; n++) {
        c = fgetwc(file);
        if (c == WEOF)
            break;
        line[n] = (wchar_t)c;
    }
    if (n == 0)
        return NULL;
    line[n] = 0;
    return line;
}

wint_t fputwc(wchar_t c, FILE *file) {
    if ((wint_t)c < 128)
        return (wint_t)fputc(c, file);
    errno = EILSEQ;
    return WEOF;
}

wint_t putwc(wchar_t c, FILE *file) {
    return fputwc(c, file);
}

wint_t putwchar(wchar_t c) {
    return fputwc(c, stdout);
}

/* In bytes, new; or NULL. */
static char *narrow(const wchar_t *text) {
    size_t size = wcslen(text) + 1;
    char *bytes = __auspex_allocate(size);
    if (wcstombs(bytes, text, size) != (size_t)-1)
        return bytes;
    free(bytes);
    return NULL;
}

int fputws(const wchar_t *restrict text, FILE *restrict file) {
    char *bytes = narrow(text);
    if (!bytes)
        return -1;
    int result = fputs(bytes, file);
    free(bytes);
    return result;
}

/* A stream takes characters of both widths at any time. */
int fwide(FILE *file, int mode) {
    (void)file;
    return mode;
}

/* Formats mean the same in both: the machine does it in bytes. */
int vfwprintf(FILE *restrict file, const wchar_t *restrict format, va_list arguments) {
    char *bytes = narrow(format);
    if (!bytes)
        return -1;
    int length = vfprintf(file, bytes, arguments);
    free(bytes);
    return length;
}

int vwprintf(const wchar_t *restrict format, va_list arguments) {
    return vfwprintf(stdout, format, arguments);
}

int fwprintf(FILE *restrict file, const wchar_t *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vfwprintf(file, format, arguments);
    va_end(arguments);
    return length;
}

int wprintf(const wchar_t *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vfwprintf(stdout, format, arguments);
    va_end(arguments);
    return length;
}

/* What does not fit is cut, and an error. */
int vswprintf(wchar_t *restrict to, size_t size, const wchar_t *restrict format, va_list arguments) {
    char *bytes = narrow(format);
    if (!bytes)
        return -1;
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, bytes, again);
    va_end(again);
    char *text = __auspex_allocate((size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, bytes, arguments);
    int result = length;
    for (int i = 0; i <= length && result >= 0; i++) {
        if ((size_t)i == size || (unsigned char)text[i] >= 128) {
            result = -1;
            if (size)
                to[(size_t)i == size ? i - 1 : i] = 0;
        } else {
            to[i] = text[i];
        }
    }
    free(text);
    free(bytes);
    return result;
}

int swprintf(wchar_t *restrict to, size_t size, const wchar_t *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vswprintf(to, size, format, arguments);
    va_end(arguments);
    return length;
}
