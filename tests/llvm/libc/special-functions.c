/* expect: holds
 * what: erf, erfc, tgamma and lgamma, for double and float
 */
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>

static int near(double a, double b)
{
	return fabs(a - b) <= 1e-14 * fabs(b);
}

volatile double half = 0.5, five = 5, minus = -0.5;
volatile float single = 0.5f;

int main(void)
{
	assert(erf(0.0) == 0 && erf(INFINITY) == 1 && erfc(0.0) == 1 && isnan(erf(NAN)));
	assert(near(erf(half), 0.52049987781304654) && near(erfc(five), 1.5374597944280349e-12));
	assert(near(tgamma(five), 24) && near(tgamma(half), sqrt(M_PI)) && isnan(tgamma(-1.0)) && isinf(tgamma(200.0)));
	assert(near(lgamma(10.0), log(362880.0)) && signgam == 1);
	assert(lgamma(minus) > 0 && signgam == -1);
	int sign;
	assert(near(lgamma_r(five, &sign), log(24.0)) && sign == 1 && isinf(lgamma(0.0)));
	assert(fabsf(erff(single) - 0.5204999f) < 1e-6f && fabsf(erfcf(single) - 0.4795001f) < 1e-6f);
	assert(fabsf(tgammaf(4.0f) - 6) < 1e-5f && fabsf(lgammaf(4.0f) - logf(6.0f)) < 1e-6f);
	return 0;
}
