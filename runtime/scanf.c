/* scanf and its family, in the C locale. */
#include "runtime.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where it reads: a string, or the standard input when `text` is NULL. */
struct source {
    const char *text;
    int count; /* bytes read so far, for %n */
};

static int get(struct source *in) {
    int c = in->text ? (*in->text ? (unsigned char)*in->text++ : -1) : __rt_get();
    in->count += c >= 0;
    return c;
}

static void unget(struct source *in, int c) {
    if (c < 0)
        return;
    in->count--;
    if (in->text)
        in->text--;
    else
        __rt_unget(c);
}

static int is_space(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_space(struct source *in) {
    int c;
    do
        c = get(in);
    while (is_space(c));
    unget(in, c);
}

/* One conversion of the format. */
enum { FLOAT, DOUBLE, LONG_DOUBLE };

struct conversion {
    int store;    /* no '*' */
    int width;    /* 0: none given */
    int size;     /* of the integer; 0: none given */
    int real;     /* FLOAT... */
    int allocate; /* 'm' */
    char letter;
};

static int width_of(const char **format) {
    int width = 0;
    for (; **format >= '0' && **format <= '9'; ++*format)
        width = width * 10 + (**format - '0');
    return width;
}

/* hh h l ll j z t L q: gives the size of the integer, and the type of a number with a point. */
static int size_of(const char **format, int *real) {
    *real = **format == 'l' ? DOUBLE : **format == 'L' ? LONG_DOUBLE : FLOAT;
    switch (*(*format)++) {
    case 'h':
        if (**format != 'h')
            return sizeof(short);
        ++*format;
        return sizeof(char);
    case 'l':
        if (**format != 'l')
            return sizeof(long);
        ++*format;
        return sizeof(long long);
    case 'j':
    case 'q':
    case 'L':
        return sizeof(long long);
    case 'z':
    case 't':
        return sizeof(size_t);
    default:
        --*format;
        return 0;
    }
}

static const char *parse(const char *format, struct conversion *c) {
    c->store = *format != '*';
    format += *format == '*';
    c->width = width_of(&format);
    c->allocate = *format == 'm';
    format += c->allocate;
    c->size = size_of(&format, &c->real);
    c->letter = *format;
    return *format ? format + 1 : format;
}

/* ---- numbers: the longest text that could be one, then strtol or strtod ---- */

#define NUMBER 128

struct digits {
    char text[NUMBER];
    int length, limit;
};

/* Takes the next character if it is one of the set. */
static int accept(struct source *in, struct digits *d, const char *set) {
    if (d->length >= d->limit)
        return 0;
    int c = get(in);
    if (c <= 0 || !strchr(set, c)) {
        unget(in, c);
        return 0;
    }
    d->text[d->length++] = c;
    return c;
}

static void begin_number(struct source *in, struct digits *d, int width) {
    d->length = 0;
    d->limit = width && width < NUMBER ? width : NUMBER - 1;
    accept(in, d, "+-");
}

static const char *digit_set(int base) {
    return base == 16 ? "0123456789abcdefABCDEF" : base == 8 ? "01234567" : base == 2 ? "01" : "0123456789";
}

/* The base becomes known with the prefix: %i takes all. Gives how many digits there are. */
static int read_integer(struct source *in, struct digits *d, int *base, int width) {
    begin_number(in, d, width);
    int count = 0;
    if ((*base == 0 || *base == 16) && accept(in, d, "0")) {
        count = 1;
        if (accept(in, d, "xX"))
            *base = 16; /* without digits behind it, too: like glibc, "0x" is 0 */
        else if (*base == 0)
            *base = 8;
    }
    if (*base == 0)
        *base = 10;
    while (accept(in, d, digit_set(*base)))
        count++;
    d->text[d->length] = 0;
    return count;
}

static void store_integer(void *to, int size, unsigned long long value) {
    switch (size) {
    case sizeof(char):
        *(unsigned char *)to = (unsigned char)value;
        break;
    case sizeof(short):
        *(unsigned short *)to = (unsigned short)value;
        break;
    case 8:
        *(unsigned long long *)to = value;
        break;
    default:
        *(unsigned *)to = (unsigned)value;
    }
}

static unsigned long long value_of(const struct digits *d, int base, int is_signed, int size) {
    if (size > (int)sizeof(long))
        return is_signed ? (unsigned long long)__rt_read_signed(d->text, NULL, base, LLONG_MIN, LLONG_MAX)
                         : __rt_read_unsigned(d->text, NULL, base, ULLONG_MAX);
    return is_signed ? (unsigned long long)__rt_read_signed(d->text, NULL, base, LONG_MIN, LONG_MAX)
                     : __rt_read_unsigned(d->text, NULL, base, ULONG_MAX);
}

static int scan_integer(struct source *in, const struct conversion *c, void *to) {
    struct digits d;
    int base = 10, size = c->size ? c->size : (int)sizeof(int);
    if (c->letter == 'i')
        base = 0;
    else if (c->letter == 'o')
        base = 8;
    else if (c->letter == 'x' || c->letter == 'X' || c->letter == 'p')
        base = 16;
    if (c->letter == 'p')
        size = sizeof(void *);
    if (!read_integer(in, &d, &base, c->width))
        return 0;
    if (to)
        store_integer(to, size, value_of(&d, base, c->letter == 'd' || c->letter == 'i', size));
    return 1;
}

static int accept_word(struct source *in, struct digits *d, const char *small, const char *big) {
    for (; *small; small++, big++) {
        char set[3] = {*small, *big, 0};
        if (!accept(in, d, set))
            return 0;
    }
    return 1;
}

static int read_fraction(struct source *in, struct digits *d) {
    const char *set = "0123456789", *exponent = "eE";
    int count = 0;
    if (accept(in, d, "0")) {
        count = 1;
        if (accept(in, d, "xX")) {
            set = "0123456789abcdefABCDEF";
            exponent = "pP";
            count = 0;
        }
    }
    while (accept(in, d, set))
        count++;
    if (accept(in, d, "."))
        while (accept(in, d, set))
            count++;
    if (!count)
        return 0;
    if (accept(in, d, exponent)) {
        accept(in, d, "+-");
        while (accept(in, d, "0123456789")) /* like glibc: "1e" is 1 */
            ;
    }
    return count;
}

static int read_real(struct source *in, struct digits *d, int width) {
    begin_number(in, d, width);
    int good;
    if (accept(in, d, "iI")) {
        good = accept_word(in, d, "nf", "NF");
        if (good && accept(in, d, "iI"))
            good = accept_word(in, d, "nity", "NITY");
    } else if (accept(in, d, "nN")) {
        good = accept_word(in, d, "an", "AN");
    } else {
        good = read_fraction(in, d);
    }
    d->text[d->length] = 0;
    return good;
}

static int scan_real(struct source *in, const struct conversion *c, void *to) {
    struct digits d;
    if (!read_real(in, &d, c->width))
        return 0;
    if (!to)
        return 1;
    if (c->real == LONG_DOUBLE)
        *(long double *)to = strtold(d.text, NULL);
    else if (c->real == DOUBLE)
        *(double *)to = strtod(d.text, NULL);
    else
        *(float *)to = strtof(d.text, NULL);
    return 1;
}

/* ---- text ---- */

/* A set like [^a-z]: which characters belong to it. Gives what is behind it in the format. */
static const char *parse_set(const char *format, char *member) {
    int negated = *format == '^';
    format += negated;
    memset(member, negated, 256);
    for (int first = 1; *format && (first || *format != ']'); first = 0, format++) {
        unsigned char low = *format, high = low;
        if (format[1] == '-' && format[2] && format[2] != ']') {
            high = format[2];
            format += 2;
        }
        for (int c = low; c <= high; c++)
            member[c] = !negated;
    }
    return *format ? format + 1 : format;
}

static int belongs(const struct conversion *c, const char *member, int character) {
    if (character < 0)
        return 0;
    return c->letter == 'c' || (c->letter == '[' ? member[character] : !is_space(character));
}

/* The text into `to`, or into memory of its own for %ms. */
static int scan_text(struct source *in, const struct conversion *c, const char *member, void *to) {
    int width = c->width ? c->width : c->letter == 'c' ? 1 : INT_MAX, n = 0, room = 0;
    char *text = c->allocate ? NULL : to;
    int character = get(in);
    for (; belongs(c, member, character); character = get(in)) {
        if (c->allocate && to && n + 2 > room)
            text = realloc(text, room = 2 * n + 16);
        if (text)
            text[n] = character;
        if (++n == width)
            break;
    }
    if (n < width)
        unget(in, character);
    if (text && c->letter != 'c')
        text[n] = 0;
    if (c->allocate && to)
        *(char **)to = text;
    return c->letter == 'c' ? n == width : n > 0;
}

/* ---- the format ---- */

static int scan_one(struct source *in, const struct conversion *c, const char *member, void *to) {
    switch (c->letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'p':
        return scan_integer(in, c, to);
    case 'e':
    case 'f':
    case 'g':
    case 'a':
    case 'E':
    case 'F':
    case 'G':
    case 'A':
        return scan_real(in, c, to);
    default:
        return scan_text(in, c, member, to);
    }
}

static int takes_space(char letter) {
    return letter == 'c' || letter == '[' || letter == 'n';
}

static int known(char letter) {
    return letter && strchr("diuoxXpefgaEFGAscn[", letter);
}

static int at_end(struct source *in) {
    int c = get(in);
    unget(in, c);
    return c < 0;
}

/* A character of the format that must be there as it is. */
static int literal(struct source *in, int wanted) {
    int c = get(in);
    if (c == wanted)
        return 1;
    unget(in, c);
    return 0;
}

static int scan(struct source *in, const char *format, va_list *arguments) {
    int stored = 0;
    while (*format) {
        if (is_space((unsigned char)*format)) {
            skip_space(in);
            format++;
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%') {
                skip_space(in);
                format++;
            }
            if (at_end(in))
                return stored ? stored : EOF;
            if (!literal(in, (unsigned char)*format++))
                return stored;
            continue;
        }
        struct conversion c;
        char member[256];
        format = parse(format + 1, &c);
        if (!known(c.letter))
            return stored;
        if (c.letter == '[')
            format = parse_set(format, member);
        if (!takes_space(c.letter))
            skip_space(in);
        void *to = c.store ? va_arg(*arguments, void *) : NULL;
        if (c.letter == 'n') {
            if (to)
                store_integer(to, c.size ? c.size : (int)sizeof(int), in->count);
            continue;
        }
        if (at_end(in))
            return stored ? stored : EOF;
        if (!scan_one(in, &c, member, to))
            return stored;
        stored += c.store;
    }
    return stored;
}

static int scan_file(FILE *file, const char *format, va_list *arguments) {
    if (file != stdin)
        return EOF;
    struct source in = {NULL, 0};
    __auspex_atomic_begin();
    int stored = scan(&in, format, arguments);
    __auspex_atomic_end();
    return stored;
}

static int scan_string(const char *text, const char *format, va_list *arguments) {
    struct source in = {text, 0};
    return scan(&in, format, arguments);
}

/* Each under its own name and under those that the headers redirect it to. */
#define NAMES(prefix)                                                                                                          \
    int rt##prefix##scanf(const char *format, ...) SYMBOL(prefix##scanf);                                                      \
    int rt##prefix##scanf(const char *format, ...) {                                                                           \
        va_list arguments;                                                                                                     \
        va_start(arguments, format);                                                                                           \
        int stored = scan_file(stdin, format, &arguments);                                                                     \
        va_end(arguments);                                                                                                     \
        return stored;                                                                                                         \
    }                                                                                                                          \
    int rt##prefix##fscanf(FILE *file, const char *format, ...) SYMBOL(prefix##fscanf);                                        \
    int rt##prefix##fscanf(FILE *file, const char *format, ...) {                                                              \
        va_list arguments;                                                                                                     \
        va_start(arguments, format);                                                                                           \
        int stored = scan_file(file, format, &arguments);                                                                      \
        va_end(arguments);                                                                                                     \
        return stored;                                                                                                         \
    }                                                                                                                          \
    int rt##prefix##sscanf(const char *text, const char *format, ...) SYMBOL(prefix##sscanf);                                  \
    int rt##prefix##sscanf(const char *text, const char *format, ...) {                                                        \
        va_list arguments;                                                                                                     \
        va_start(arguments, format);                                                                                           \
        int stored = scan_string(text, format, &arguments);                                                                    \
        va_end(arguments);                                                                                                     \
        return stored;                                                                                                         \
    }                                                                                                                          \
    int rt##prefix##vscanf(const char *format, va_list arguments) SYMBOL(prefix##vscanf);                                      \
    int rt##prefix##vscanf(const char *format, va_list arguments) {                                                            \
        va_list copy;                                                                                                          \
        va_copy(copy, arguments);                                                                                              \
        int stored = scan_file(stdin, format, &copy);                                                                          \
        va_end(copy);                                                                                                          \
        return stored;                                                                                                         \
    }                                                                                                                          \
    int rt##prefix##vfscanf(FILE *file, const char *format, va_list arguments) SYMBOL(prefix##vfscanf);                        \
    int rt##prefix##vfscanf(FILE *file, const char *format, va_list arguments) {                                               \
        va_list copy;                                                                                                          \
        va_copy(copy, arguments);                                                                                              \
        int stored = scan_file(file, format, &copy);                                                                           \
        va_end(copy);                                                                                                          \
        return stored;                                                                                                         \
    }                                                                                                                          \
    int rt##prefix##vsscanf(const char *text, const char *format, va_list arguments) SYMBOL(prefix##vsscanf);                  \
    int rt##prefix##vsscanf(const char *text, const char *format, va_list arguments) {                                         \
        va_list copy;                                                                                                          \
        va_copy(copy, arguments);                                                                                              \
        int stored = scan_string(text, format, &copy);                                                                         \
        va_end(copy);                                                                                                          \
        return stored;                                                                                                         \
    }

NAMES()
NAMES(__isoc99_)
NAMES(__isoc23_)
