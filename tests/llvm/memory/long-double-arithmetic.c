/* expect: holds
 * what: arithmetic on long double is exact to 64 bits, with the range of 15 bits of exponent
 */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

static long double sum(int count)
{
	long double total = 0;
	for (int i = 1; i <= count; i++)
		total += 1.0L / i;
	return total;
}

int main(void)
{
	volatile long double third = 1.0L / 3, tenth = 0.1L, big = 1e4000L, zero = 0;

	/* A quotient, a sum and a product are rounded to 64 bits. */
	assert(third == 0xa.aaaaaaaaaaaaaabp-5L && third * 3 == 1);
	assert(tenth == 0xc.ccccccccccccccdp-7L && tenth != (double)tenth);
	assert(tenth + 0.2L == 0.3L && 0.1 + 0.2 != 0.3);
	assert(sum(10) == 0xb.b74374374374375p-2L);
	assert(third * tenth == 0x8.888888888888889p-8L);
	assert(1.0L - tenth * 10 == 0 && 1.0L - tenth * 9 == 0xc.cccccccccccccc8p-7L);

	/* Far outside of what a double holds. */
	assert((double)big == INFINITY && big < LDBL_MAX);
	assert(big * 1e900L <= LDBL_MAX && big * 1e1000L > LDBL_MAX);
	assert(big / 1e4000L == 1 && 1 / big > 0 && (double)(1 / big) == 0);
	assert(LDBL_MIN / 2 > 0 && LDBL_MIN / 0x1p63L == 0x1p-16445L);
	assert(LDBL_TRUE_MIN / 2 == 0 && LDBL_TRUE_MIN * 1.5L == 2 * LDBL_TRUE_MIN);
	assert(LDBL_MAX * 2 == INFINITY && -LDBL_MAX - LDBL_MAX == -INFINITY);

	/* Comparisons. */
	long double next = nextafterl(1, 2);
	assert(next - 1 == LDBL_EPSILON && next > 1 && !(next <= 1) && (double)next == 1);
	assert(nextafterl(1, 0) == 1 - LDBL_EPSILON / 2 && nextafterl(0, -1) == -LDBL_TRUE_MIN);
	assert(nextafterl(LDBL_MIN, 0) == LDBL_MIN - LDBL_TRUE_MIN);
	assert(nexttoward(1.0, next) == 1 + DBL_EPSILON && nexttoward(1.0, 1.0L) == 1);
	long double nan = zero / zero;
	assert(nan != nan && !(nan < 1) && !(nan >= 1) && isnan(nan) && signbit(nan));
	assert(-zero == zero && signbit(-zero) && 1 / -zero == -INFINITY);
	assert(isinf(1 / zero) && isfinite(big) && fpclassify(LDBL_MIN / 2) == FP_SUBNORMAL);
	assert(fpclassify(LDBL_MIN) == FP_NORMAL && fpclassify((long double)DBL_TRUE_MIN) == FP_NORMAL);

	/* Functions with an exact result. */
	volatile long double two = 2, far = 0x1p63L + 1, minus = -2.5L;
	assert(sqrtl(two) == 0xb.504f333f9de6484p-3L && sqrtl(1e4000L) == 1e2000L);
	assert(sqrtl(LDBL_TRUE_MIN) == 0xb.504f333f9de6484p-8226L && isnan(sqrtl(minus)));
	assert(floorl(far + 0.5L) == far + 1 && floorl(minus) == -3 && ceill(minus) == -2);
	assert(truncl(minus) == -2 && roundl(minus) == -3 && rintl(minus) == -2);
	assert(floorl(0x1p62L + 0.5L) == 0x1p62L && ceill(0x1p62L + 0.5L) == 0x1p62L + 1);
	assert(lroundl(-0.5L) == -1 && lrintl(far - 3) == 0x7ffffffffffffffe && llroundl(2.5L) == 3);
	assert(fmodl(big, 7) == 6 && fmodl(-7.5L, 2) == -1.5L && fmodl(5, INFINITY) == 5);
	assert(remainderl(7, 2) == -1 && remainderl(5, 2) == 1 && remainderl(big, 7) == fmodl(big, 7) - 7);
	assert(fabsl(minus) == 2.5L && copysignl(1, minus) == -1 && fdiml(3, 1) == 2);
	assert(fminl(nan, 1) == 1 && fmaxl(2, 1) == 2);
	assert(fmal(next, next, -1) == 2 * LDBL_EPSILON + LDBL_EPSILON * LDBL_EPSILON);
	assert(fma(1 + DBL_EPSILON, 1 - DBL_EPSILON, -1) == -DBL_EPSILON * DBL_EPSILON);
	int exponent, quotient;
	assert(frexpl(big, &exponent) == big / powl(2, 1000) / ldexpl(1, 12288) && exponent == 13288);
	assert(frexpl(LDBL_TRUE_MIN, &exponent) == 0.5L && exponent == -16444);
	assert(ldexpl(tenth, 16000) / ldexpl(1, 16000) == tenth && scalbnl(1, -16445) == LDBL_TRUE_MIN);
	assert(ilogbl(big) == 13287 && logbl(LDBL_TRUE_MIN) == -16445);
	long double whole;
	assert(modfl(-far - 0.0L, &whole) == 0 && whole == -far);
	assert(modfl(3.25L, &whole) == 0.25L && whole == 3);
	assert(remquol(29, 3, &quotient) == -1 && (quotient & 7) == 2);
	assert(remquol(-7.5L, 2, &quotient) == 0.5L && quotient == -4);

	/* Text. */
	char *end;
	assert(strtold("0.1", NULL) == tenth && strtold("1e4000x", &end) == big && *end == 'x');
	assert(strtold("18446744073709551615", NULL) == 18446744073709551615.0L);
	return 0;
}
