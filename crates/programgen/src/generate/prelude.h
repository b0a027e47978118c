/* How a program hands out what it computes. Without AUSPEX_EXPECTED it prints the values; with it they are in
 * tables, and each must be the one that comes next. */
#include <assert.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef AUSPEX_EXPECTED
#include "expected.h"
static unsigned out_next, out_next_string;
static void out(unsigned long long value)
{
	assert(out_next < sizeof out_values / sizeof *out_values);
	assert(out_values[out_next] == value);
	out_next++;
}
static void out_string(const char *value)
{
	assert(out_next_string < sizeof out_strings / sizeof *out_strings);
	assert(strcmp(out_strings[out_next_string], value) == 0);
	out_next_string++;
}
static void out_end(void)
{
	assert(out_next + 1 == sizeof out_values / sizeof *out_values);
	assert(out_next_string + 1 == sizeof out_strings / sizeof *out_strings);
}
#else
static void out(unsigned long long value)
{
	printf("v%llx\n", value);
}
static void out_string(const char *value)
{
	printf("s");
	for (; *value; value++)
		printf("%02x", (unsigned char)*value);
	printf("\n");
}
static void out_end(void)
{
	printf("end\n");
}
#endif
__attribute__((unused)) static void out_wide(unsigned __int128 value)
{
	out((unsigned long long)value);
	out((unsigned long long)(value >> 64));
}
/* Floats by their bits; all that are no numbers are one, since C does not say which bits they have. */
__attribute__((unused)) static void out_float(float value)
{
	unsigned bits = 0x7fc00000;
	if (value == value)
		memcpy(&bits, &value, sizeof bits);
	out(bits);
}
__attribute__((unused)) static void out_double(double value)
{
	unsigned long long bits = 0x7ff8000000000000;
	if (value == value)
		memcpy(&bits, &value, sizeof bits);
	out(bits);
}
__attribute__((unused)) static void out_long_double(long double value)
{
	unsigned long long bits = 0;
	unsigned short high = 0x7fff;
	if (value == value) {
		memcpy(&bits, &value, sizeof bits);
		memcpy(&high, (char *)&value + 8, sizeof high);
	}
	out(bits);
	out(high);
}
/* Conversions from floating point, where the number fits. */
#define TO(name, type, fits) \
	__attribute__((unused)) static type name(double x) { return (fits) ? (type)x : 7; }
TO(to_schar, signed char, x > -129.0 && x < 128.0)
TO(to_uchar, unsigned char, x > -1.0 && x < 256.0)
TO(to_short, short, x > -32769.0 && x < 32768.0)
TO(to_ushort, unsigned short, x > -1.0 && x < 65536.0)
TO(to_int, int, x > -2147483649.0 && x < 2147483648.0)
TO(to_unsigned, unsigned, x > -1.0 && x < 4294967296.0)
TO(to_long, long, x >= -0x1p63 && x < 0x1p63)
TO(to_ulong, unsigned long, x > -1.0 && x < 0x1p64)
TO(to_wide, __int128, x >= -0x1p127 && x < 0x1p127)
TO(to_uwide, unsigned __int128, x > -1.0 && x < 0x1p128)
__attribute__((unused)) static int from_float(float x)
{
	return x > -2e9f && x < 2e9f ? (int)x : 3;
}
/* All numbers that are none are one: see out_double. */
__attribute__((unused)) static double a_number(double x)
{
	return x == x ? x : 0.5;
}
struct out_pair {
	int number;
	double real;
};
struct out_large {
	long part[3];
};
/* Hands out its arguments, whose types are given by letters. */
__attribute__((unused)) static void out_all(const char *types, ...)
{
	va_list list, again;
	va_start(list, types);
	va_copy(again, list);
	for (; *types; types++) {
		switch (*types) {
		case 'i':
			out(va_arg(list, int));
			break;
		case 'u':
			out(va_arg(list, unsigned));
			break;
		case 'l':
			out(va_arg(list, long));
			break;
		case 'U':
			out(va_arg(list, unsigned long));
			break;
		case 'd':
			out_double(va_arg(list, double));
			break;
		case 's':
			out_string(va_arg(list, char *));
			break;
		case 'w':
			out_wide(va_arg(list, __int128));
			break;
		case 'L':
			out_long_double(va_arg(list, long double));
			break;
		case 'r': {
			struct out_pair pair = va_arg(list, struct out_pair);
			out(pair.number);
			out_double(pair.real);
			break;
		}
		case 'R': {
			struct out_large large = va_arg(list, struct out_large);
			out(large.part[0] ^ large.part[2]);
			break;
		}
		}
	}
	va_end(list);
	va_end(again);
}
__attribute__((unused)) static unsigned out_square(unsigned x)
{
	return x * x;
}
__attribute__((unused)) static unsigned out_next_prime(unsigned x)
{
	for (;; x++) {
		unsigned d = 2;
		while (d < x && x % d)
			d++;
		if (d == x)
			return x;
	}
}
__attribute__((unused)) static unsigned out_twice(unsigned f(unsigned), unsigned x)
{
	return f(f(x));
}
__attribute__((unused)) static unsigned out_ackermann(unsigned m, unsigned n)
{
	return m == 0 ? n + 1 : n == 0 ? out_ackermann(m - 1, 1) : out_ackermann(m - 1, out_ackermann(m, n - 1));
}
__attribute__((unused)) static unsigned long out_gcd(unsigned long a, unsigned long b)
{
	return b == 0 ? a : out_gcd(b, a % b);
}
__attribute__((unused)) static unsigned __int128 out_power(unsigned __int128 x, unsigned n)
{
	return n == 0 ? 1 : n % 2 ? x * out_power(x, n - 1) : out_power(x * x, n / 2);
}
__attribute__((unused)) static struct out_large out_make(long a, long b)
{
	return (struct out_large){ { a, b, a ^ b } };
}
__attribute__((unused)) static long out_sum(struct out_large x)
{
	return x.part[0] ^ (x.part[1] >> 1) ^ x.part[2];
}
__attribute__((unused)) static struct out_pair out_swap(struct out_pair x)
{
	return (struct out_pair){ to_int(x.real), x.number };
}
__attribute__((unused)) static int out_compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return x < y ? -1 : x > y;
}
