/* Numbers from text: strtol, strtod and their families. */
#include "runtime.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CHARACTER char
#include "integer.h"

/* ---- integers ---- */

long long __rt_read_signed(const char *text, char **end, int base, long long min, long long max) {
    return to_signed(read_integer(text, end, base), min, max);
}

unsigned long long __rt_read_unsigned(const char *text, char **end, int base, unsigned long long max) {
    return to_unsigned(read_integer(text, end, base), max);
}

/* Each under its name, the name that newer glibc headers redirect it to, and that of <inttypes.h>, where there is one. */
#define SIGNED(name, type, min, max, flag)                                                                                     \
    type rt_##name(const char *text, char **end, int base) SYMBOL(name);                                                       \
    type rt_##name(const char *text, char **end, int base) {                                                                   \
        return __rt_read_signed(text, end, base | flag, min, max);                                                             \
    }
#define UNSIGNED(name, type, max, flag)                                                                                        \
    type rt_##name(const char *text, char **end, int base) SYMBOL(name);                                                       \
    type rt_##name(const char *text, char **end, int base) {                                                                   \
        return __rt_read_unsigned(text, end, base | flag, max);                                                                \
    }

SIGNED(strtol, long, LONG_MIN, LONG_MAX, 0)
SIGNED(strtoll, long long, LLONG_MIN, LLONG_MAX, 0)
SIGNED(strtoq, long long, LLONG_MIN, LLONG_MAX, 0)
SIGNED(strtoimax, intmax_t, INTMAX_MIN, INTMAX_MAX, 0)
SIGNED(__isoc23_strtol, long, LONG_MIN, LONG_MAX, C23)
SIGNED(__isoc23_strtoll, long long, LLONG_MIN, LLONG_MAX, C23)
SIGNED(__isoc23_strtoimax, intmax_t, INTMAX_MIN, INTMAX_MAX, C23)
UNSIGNED(strtoul, unsigned long, ULONG_MAX, 0)
UNSIGNED(strtoull, unsigned long long, ULLONG_MAX, 0)
UNSIGNED(strtouq, unsigned long long, ULLONG_MAX, 0)
UNSIGNED(strtoumax, uintmax_t, UINTMAX_MAX, 0)
UNSIGNED(__isoc23_strtoul, unsigned long, ULONG_MAX, C23)
UNSIGNED(__isoc23_strtoull, unsigned long long, ULLONG_MAX, C23)
UNSIGNED(__isoc23_strtoumax, uintmax_t, UINTMAX_MAX, C23)

/* Not through strtol's limits twice: an int that does not fit is undefined anyway. */
int atoi(const char *text) {
    return (int)__rt_read_signed(text, NULL, 10, LONG_MIN, LONG_MAX);
}

long atol(const char *text) {
    return __rt_read_signed(text, NULL, 10, LONG_MIN, LONG_MAX);
}

long long atoll(const char *text) {
    return __rt_read_signed(text, NULL, 10, LLONG_MIN, LLONG_MAX);
}

/* ---- floating point: exact, by way of a big integer ---- */

struct format {
    int precision;   /* bits of the mantissa */
    int least;       /* the exponent of the smallest subnormal number */
    int greatest;    /* the exponent of the first power of two that is too big */
};

static const struct format single = {24, -149, 128}, twice = {53, -1074, 1024}, extended = {64, -16445, 16384};

/* mantissa * 2^exponent, or infinity or not a number. */
struct real {
    uint64_t mantissa;
    int exponent;
    enum { FINITE, INFINITE, NAN_ } what;
    int negative;
};

#define LIMBS 64 /* enough for 260 digits times 10^308; of more than that 1600 bits are kept, and whether there are others */
#define DIGITS 28 /* limbs that digits of the text may fill */

struct big {
    uint32_t limb[LIMBS]; /* the least significant first */
    int used;
};

static void multiply(struct big *b, uint32_t factor, uint32_t carry) {
    uint64_t t = carry;
    for (int i = 0; i < b->used; i++) {
        t += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)t;
        t >>= 32;
    }
    if (t)
        b->limb[b->used++] = (uint32_t)t;
}

/* Gives whether there was a remainder. */
static int divide(struct big *b, uint32_t by) {
    uint64_t rest = 0;
    for (int i = b->used - 1; i >= 0; i--) {
        uint64_t t = rest << 32 | b->limb[i];
        b->limb[i] = (uint32_t)(t / by);
        rest = t % by;
    }
    while (b->used && !b->limb[b->used - 1])
        b->used--;
    return rest != 0;
}

/* The top 64 bits; what is below them is summed up in *rest: whether it is at least half of the last bit (2), and whether there
   is more than that (1). Gives the exponent. */
static int top_bits(const struct big *b, uint64_t *bits, int sticky, int *rest) {
    int position = b->used * 32, i = b->used - 1;
    uint64_t top = (uint64_t)b->limb[i] << 32 | (i > 0 ? b->limb[i - 1] : 0);
    uint32_t below = i > 1 ? b->limb[i - 2] : 0;
    int shift = __builtin_clz(b->limb[i]);
    if (shift) {
        top = top << shift | below >> (32 - shift);
        below <<= shift;
    }
    *bits = top;
    for (int j = 0; j < i - 2; j++)
        sticky |= b->limb[j] != 0;
    *rest = (int)(below >> 31) * 2 | (sticky || below << 1);
    return position - shift - 64;
}

/* Rounds bits * 2^exponent (and what is below) to the format, half to even. */
static void round_to(struct real *r, uint64_t bits, int exponent, int below, const struct format *f) {
    int drop = 64 - f->precision;
    if (exponent + drop < f->least)
        drop = f->least - exponent; /* subnormal */
    if (drop > 64) {
        bits = 0;
    } else if (drop > 0) {
        uint64_t half = (uint64_t)1 << (drop - 1), rest = bits & (half | (half - 1));
        bits = drop == 64 ? 0 : bits >> drop;
        if (rest > half || (rest == half && (below || (bits & 1))))
            bits++;
    } else if (below == 3 || (below == 2 && (bits & 1))) {
        if (!++bits) { /* carried beyond 64 bits */
            bits = (uint64_t)1 << 63;
            exponent++;
        }
    }
    r->mantissa = bits;
    r->exponent = exponent + drop;
    int size = bits ? 64 - __builtin_clzll(bits) : 0;
    if (size + r->exponent > f->greatest)
        r->what = INFINITE;
    if (r->what == INFINITE || !bits)
        errno = ERANGE;
}

/* b * 10^power */
static void from_decimal(struct real *r, struct big *b, int power, int sticky, const struct format *f) {
    int exponent = 0, rest;
    if (power > 5000)
        power = 5000; /* too big, or too small, for every format */
    if (power < -5000)
        power = -5000;
    for (; power > 0; power--) {
        multiply(b, 10, 0);
        if (b->used > LIMBS - 4) {
            for (int i = 0; i < 8; i++)
                sticky |= b->limb[i] != 0;
            memmove(b->limb, b->limb + 8, (b->used - 8) * sizeof *b->limb);
            memset(b->limb + b->used - 8, 0, 8 * sizeof *b->limb);
            b->used -= 8;
            exponent += 256;
        }
    }
    while (power < 0) {
        if (b->used < 8) { /* room for the quotient: multiply by 2^256 */
            memmove(b->limb + 8, b->limb, b->used * sizeof *b->limb);
            memset(b->limb, 0, 8 * sizeof *b->limb);
            b->used += 8;
            exponent -= 256;
        }
        int step = power < -9 ? 9 : -power;
        uint32_t by = 1;
        for (int i = 0; i < step; i++)
            by *= 10;
        sticky |= divide(b, by);
        power += step;
    }
    uint64_t bits;
    exponent += top_bits(b, &bits, sticky, &rest);
    round_to(r, bits, exponent, rest, f);
}

static void from_hexadecimal(struct real *r, const struct big *b, int power, int sticky, const struct format *f) {
    uint64_t bits;
    int rest;
    power += top_bits(b, &bits, sticky, &rest);
    round_to(r, bits, power, rest, f);
}

/* An exponent like e-12; nothing is read when it is not complete. */
static const char *read_exponent(const char *s, int letter, int *exponent) {
    if ((*s | 32) != letter)
        return s;
    const char *t = s + 1;
    int negative = *t == '-', value = 0;
    if (*t == '-' || *t == '+')
        t++;
    if (digit_value(*t) > 9)
        return s;
    for (; digit_value(*t) <= 9; t++)
        if (value < 100000)
            value = value * 10 + digit_value(*t);
    *exponent += negative ? -value : value;
    return t;
}

/* Digits with a point; `each` is how much a digit counts in the exponent. Gives NULL when there are none. */
static const char *read_digits(const char *s, int base, int each, struct big *digits, int *exponent, int *sticky) {
    int any = 0, point = 0;
    for (;; s++) {
        if (*s == '.' && !point) {
            point = 1;
            continue;
        }
        int digit = digit_value(*s);
        if (digit >= base)
            return any ? s : NULL;
        any = 1;
        if (digits->used < DIGITS) { /* there is room for one more */
            multiply(digits, base, digit);
            *exponent -= point * each;
        } else {
            *sticky |= digit != 0;
            *exponent += !point * each;
        }
    }
}

static const char *read_number(const char *s, struct real *r, const struct format *f) {
    struct big digits = {.used = 0};
    int exponent = 0, sticky = 0;
    int hexadecimal = s[0] == '0' && (s[1] | 32) == 'x' && (digit_value(s[2]) < 16 || (s[2] == '.' && digit_value(s[3]) < 16));
    if (hexadecimal)
        s += 2;
    s = read_digits(s, hexadecimal ? 16 : 10, hexadecimal ? 4 : 1, &digits, &exponent, &sticky);
    if (!s)
        return NULL;
    s = read_exponent(s, hexadecimal ? 'p' : 'e', &exponent);
    if (digits.used && hexadecimal)
        from_hexadecimal(r, &digits, exponent, sticky, f);
    else if (digits.used)
        from_decimal(r, &digits, exponent, sticky, f);
    return s;
}

static const char *read_word(const char *s, struct real *r) {
    if (!strncasecmp(s, "inf", 3)) {
        r->what = INFINITE;
        return s + (strncasecmp(s, "infinity", 8) ? 3 : 8);
    }
    if (strncasecmp(s, "nan", 3))
        return NULL;
    r->what = NAN_;
    s += 3;
    const char *t = s;
    if (*t == '(')
        do
            t++;
        while (digit_value(*t) < 36 || *t == '_');
    return *t == ')' ? t + 1 : s;
}

static struct real read_real(const char *text, char **end, const struct format *f) {
    struct real r = {0, 0, FINITE, 0};
    const char *s = text;
    while (is_space(*s))
        s++;
    if (*s == '-' || *s == '+')
        r.negative = *s++ == '-';
    const char *behind = read_word(s, &r);
    if (!behind)
        behind = read_number(s, &r, f);
    if (!behind)
        r.negative = 0;
    if (end)
        *end = (char *)(behind ? behind : text);
    return r;
}

#define REAL(name, type, format, scale)                                                                                        \
    type name(const char *restrict text, char **restrict end) {                                                                \
        struct real r = read_real(text, end, &format);                                                                         \
        type value = r.what == FINITE     ? scale((type)r.mantissa, r.exponent)                                                \
                     : r.what == INFINITE ? (type)INFINITY                                                                     \
                                          : (type)NAN;                                                                         \
        return r.negative ? -value : value;                                                                                    \
    }

REAL(strtod, double, twice, ldexp)
REAL(strtof, float, single, ldexpf)
REAL(strtold, long double, extended, ldexpl)

double atof(const char *text) {
    return strtod(text, NULL);
}
