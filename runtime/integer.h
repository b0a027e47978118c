/* Integers from text of any kind of character: CHARACTER is char or wchar_t. For number.c and wchar.c. */
#include <errno.h>
#include <limits.h>

static int is_space(CHARACTER c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int digit_value(CHARACTER c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

struct integer {
    unsigned long long magnitude;
    int negative, overflow;
};

/* Behind a prefix like 0x, if that is followed by a digit; settles the base. */
static const CHARACTER *skip_prefix(const CHARACTER *s, int *base) {
    int want = *base & ~C23, letter = s[0] == '0' ? s[1] | 32 : 0;
    if ((want == 0 || want == 16) && letter == 'x' && digit_value(s[2]) < 16) {
        *base = 16;
        return s + 2;
    }
    if ((want == 0 || want == 2) && (*base & C23) && letter == 'b' && digit_value(s[2]) < 2) {
        *base = 2;
        return s + 2;
    }
    *base = want ? want : s[0] == '0' ? 8 : 10;
    return s;
}

static struct integer read_integer(const CHARACTER *text, CHARACTER **end, int base) {
    struct integer n = {0, 0, 0};
    const CHARACTER *s = text;
    if (end)
        *end = (CHARACTER *)text;
    while (is_space(*s))
        s++;
    if (*s == '-' || *s == '+')
        n.negative = *s++ == '-';
    s = skip_prefix(s, &base);
    if (base < 2 || base > 36) {
        errno = EINVAL;
        return n;
    }
    const CHARACTER *first = s;
    for (; digit_value(*s) < base; s++) {
        unsigned digit = digit_value(*s);
        if (n.magnitude > (ULLONG_MAX - digit) / base)
            n.overflow = 1;
        else
            n.magnitude = n.magnitude * base + digit;
    }
    if (end && s != first)
        *end = (CHARACTER *)s;
    return n;
}

static long long to_signed(struct integer n, long long min, long long max) {
    unsigned long long limit = n.negative ? 1 + (unsigned long long)-(min + 1) : (unsigned long long)max;
    if (n.overflow || n.magnitude > limit) {
        errno = ERANGE;
        return n.negative ? min : max;
    }
    if (n.negative && n.magnitude == limit)
        return min;
    return n.negative ? -(long long)n.magnitude : (long long)n.magnitude;
}

static unsigned long long to_unsigned(struct integer n, unsigned long long max) {
    if (n.overflow || n.magnitude > max) {
        errno = ERANGE;
        return max;
    }
    return n.negative ? max & (0 - n.magnitude) : n.magnitude;
}
