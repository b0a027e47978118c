/* <string.h>: what the machine does not do itself. */
#include "runtime.h"

#include <string.h>

char *strtok_r(char *restrict text, const char *restrict delimiters, char **restrict rest) {
    if (!text)
        text = *rest;
    if (!text)
        return NULL;
    text += strspn(text, delimiters);
    char *behind = text + strcspn(text, delimiters);
    if (behind == text) {
        *rest = NULL;
        return NULL;
    }
    *rest = *behind ? behind + 1 : NULL;
    *behind = 0;
    return text;
}

char *__strtok_r(char *restrict text, const char *restrict delimiters, char **restrict rest) {
    return strtok_r(text, delimiters, rest);
}

/* One place for all threads, as in any libc: its use by two threads is a race that the machine sees. */
char *strtok(char *restrict text, const char *restrict delimiters) {
    static char *rest;
    return strtok_r(text, delimiters, &rest);
}

char *strsep(char **restrict text, const char *restrict delimiters) {
    char *first = *text;
    if (!first)
        return NULL;
    char *behind = first + strcspn(first, delimiters);
    *text = *behind ? behind + 1 : NULL;
    *behind = 0;
    return first;
}

int strcoll(const char *a, const char *b) {
    return strcmp(a, b);
}

size_t strxfrm(char *restrict to, const char *restrict from, size_t size) {
    size_t length = strlen(from);
    if (size)
        memcpy(to, from, length < size ? length + 1 : size);
    return length;
}

void *memccpy(void *restrict to, const void *restrict from, int c, size_t size) {
    const char *found = memchr(from, c, size);
    if (!found) {
        memcpy(to, from, size);
        return NULL;
    }
    return mempcpy(to, from, found + 1 - (const char *)from);
}

void *mempcpy(void *restrict to, const void *restrict from, size_t size) {
    memcpy(to, from, size);
    return (char *)to + size;
}

void *__mempcpy(void *restrict to, const void *restrict from, size_t size) {
    return mempcpy(to, from, size);
}

void *memmem(const void *hay, size_t hay_size, const void *needle, size_t size) {
    const char *p = hay;
    if (!size)
        return (void *)p;
    for (; hay_size >= size; p++, hay_size--)
        if (!memcmp(p, needle, size))
            return (void *)p;
    return NULL;
}

void *rawmemchr(const void *memory, int c) {
    const unsigned char *p = memory;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t size) {
    size_t length = strnlen(from, size);
    memcpy(to, from, length);
    memset(to + length, 0, size - length);
    return to + length;
}

/* Newer headers have them, older do not. */
size_t rt_strlcpy(char *to, const char *from, size_t size) SYMBOL(strlcpy);
size_t rt_strlcpy(char *to, const char *from, size_t size) {
    size_t length = strlen(from);
    if (size) {
        size_t kept = length < size ? length : size - 1;
        memcpy(to, from, kept);
        to[kept] = 0;
    }
    return length;
}

size_t rt_strlcat(char *to, const char *from, size_t size) SYMBOL(strlcat);
size_t rt_strlcat(char *to, const char *from, size_t size) {
    size_t used = strnlen(to, size);
    return used + rt_strlcpy(to + used, from, size - used);
}

char *strcasestr(const char *hay, const char *needle) {
    size_t length = strlen(needle);
    for (;; hay++) {
        if (!strncasecmp(hay, needle, length))
            return (char *)hay;
        if (!*hay)
            return NULL;
    }
}

char *basename(const char *path) {
    const char *slash = strrchr(path, '/');
    return (char *)(slash ? slash + 1 : path);
}

/* ---- <libgen.h>: may change the text ---- */

/* Cuts the slashes at the end, but for the only one. */
static char *without_slashes(char *path, char *end) {
    while (end > path + 1 && end[-1] == '/')
        *--end = 0;
    return end;
}

char *__xpg_basename(char *path);
char *__xpg_basename(char *path) {
    if (!path || !*path)
        return ".";
    char *end = without_slashes(path, path + strlen(path));
    if (end == path + 1)
        return path;
    while (end > path && end[-1] != '/')
        end--;
    return end;
}

char *dirname(char *path);
char *dirname(char *path) {
    if (!path || !*path)
        return ".";
    char *end = path + strlen(path);
    while (end > path + 1 && end[-1] == '/')
        end--;
    while (end > path && end[-1] != '/')
        end--;
    if (end == path)
        return ".";
    while (end > path + 1 && end[-1] == '/')
        end--;
    /* Two slashes at the beginning stay, as in glibc, if there is nothing but a name behind them. */
    if (end == path + 1 && path[0] == '/' && path[1] == '/' && path[2] != '/')
        end++;
    *end = 0;
    return path;
}

/* ---- versions: numbers in the text count as numbers, and as fractions if they begin with 0 ---- */

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

int strverscmp(const char *a, const char *b) {
    size_t at = 0, number = 0; /* where the number began that goes up to here */
    int zeros = 1;             /* it is 0s only */
    for (; a[at] == b[at]; at++) {
        if (!a[at])
            return 0;
        if (!is_digit(a[at])) {
            number = at + 1;
            zeros = 1;
        } else if (a[at] != '0') {
            zeros = 0;
        }
    }
    unsigned char x = (unsigned char)a[at], y = (unsigned char)b[at];
    if (a[number] != '0' && b[number] != '0') {
        /* Whole numbers: the one with more digits is greater. */
        size_t n = at, m = at;
        while (is_digit(a[n]))
            n++;
        while (is_digit(b[m]))
            m++;
        if (n != m && (n > at || number < at) && (m > at || number < at))
            return n < m ? -1 : 1;
    } else if (zeros && number < at && is_digit(a[at]) != is_digit(b[at])) {
        /* More 0s are less than none. */
        return is_digit(a[at]) ? -1 : 1;
    }
    return x - y;
}

/* ---- bits ---- */

int ffsl(long n) {
    return n ? __builtin_ctzl(n) + 1 : 0;
}

int ffsll(long long n) {
    return n ? __builtin_ctzll(n) + 1 : 0;
}

int ffs(int n) {
    return n ? __builtin_ctz(n) + 1 : 0;
}

void explicit_bzero(void *memory, size_t size) {
    memset(memory, 0, size);
}

char *strsignal(int signal) {
    (void)signal;
    return "Signal";
}
