/* expect: holds
 * what: long doubles as text and back
 */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[5200];

static const char *show(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	return text;
}

#define IS(format, number, expected) \
	(snprintf(text, sizeof text, format, number), !strcmp(text, expected) && !strcmp(show(format, number), expected))

int main(void)
{
	volatile long double zero = 0;
	assert(IS("%Lf", 0.1L, "0.100000") && IS("%.25Lf", 0.1L, "0.1000000000000000000013553"));
	assert(IS("%.70Lf", 0.1L, "0.1000000000000000000013552527156068805425093160010874271392822265625000"));
	assert(IS("%Le", 1e4000L, "1.000000e+4000") && IS("%.20Le", -1e-4940L, "-9.99999999996053252001e-4941"));
	assert(IS("%Lg", 1e-5L, "1e-05") && IS("%.21Lg", 1.0L / 3, "0.333333333333333333342"));
	assert(IS("%Lg", 123456.5L, "123456") && IS("%Lg", 123457.5L, "123458") && IS("%#Lg", 1.0L, "1.00000"));
	assert(IS("%.0Lf", 0.5L, "0") && IS("%.0Lf", 1.5L, "2") && IS("%.0Lf", 2.5L, "2") && IS("%.0Lf", 9.5L, "10"));
	assert(IS("%.0Lf", 0x1p64L - 1, "18446744073709551615") && IS("%.1Lf", 0.05L, "0.1") && IS("%.1Lf", 0.04L, "0.0"));
	assert(IS("%.3Lf", 999.9996L, "1000.000") && IS("%.2Le", 9.999L, "1.00e+01") && IS("%.0Lf", 0.4L, "0"));
	assert(IS("%.1Lf", 0.25L, "0.2") && IS("%.1Lf", 0.75L, "0.8") && IS("%.3Lf", 0.0005L, "0.000"));
	assert(IS("%+012.3Lf|", 2.5L, "+0000002.500|") && IS("%-10.1Lf|", -2.5L, "-2.5      |") && IS("% Lg", 2.0L, " 2"));
	assert(IS("%La", 1.0L, "0x8p-3") && IS("%La", 0.1L, "0xc.ccccccccccccccdp-7") && IS("%.2LA", 0.1L, "0XC.CDP-7"));
	assert(IS("%La", LDBL_TRUE_MIN, "0x0.000000000000001p-16385") && IS("%La", zero, "0x0p+0"));
	assert(IS("%Lf", 1 / zero, "inf") && IS("%LF", -1 / zero, "-INF") && IS("%Lf", zero / zero, "-nan"));
	assert(IS("%Lf", zero, "0.000000") && IS("%Lf", -zero, "-0.000000") && IS("%Le", zero, "0.000000e+00"));

	/* The greatest and the least. */
	assert(snprintf(text, sizeof text, "%Lf", LDBL_MAX) == 4940 && !strncmp(text, "11897314953572317650212638530309702051", 38));
	assert(!strcmp(text + 4922, "11989770240.000000"));
	assert(IS("%Lg", LDBL_MAX, "1.18973e+4932") && IS("%.20Lg", LDBL_TRUE_MIN, "3.6451995318824746025e-4951"));
	assert(snprintf(NULL, 0, "%.16445Lf", LDBL_TRUE_MIN) == 16447);

	/* Several, of several types. */
	snprintf(text, sizeof text, "%d %Lg %g %s %.*Lf %c", 1, 0.5L, 0.25, "x", 2, 0.125L, '!');
	assert(!strcmp(text, "1 0.5 0.25 x 0.12 !"));
	assert(!strcmp(show("%d %Lg %g %s %.*Lf %c", 1, 0.5L, 0.25, "x", 2, 0.125L, '!'), "1 0.5 0.25 x 0.12 !"));

	/* And back. */
	long double back;
	assert(sscanf("0.1 x", "%Lf", &back) == 1 && back == 0.1L);
	assert(strtold(show("%.21Lg", 1.0L / 3), NULL) == 1.0L / 3 && strtold("0x1p-16445", NULL) == LDBL_TRUE_MIN);
	assert(strtold("1.18973149535723176502e+4932", NULL) == LDBL_MAX && isinf(strtold("1e5000", NULL)));
	return 0;
}
