/* expect: holds
 * what: float and double: rounding, infinity, not a number, comparisons
 */
#include <assert.h>
#include <math.h>

int main(void)
{
	volatile double a = 0.1, b = 0.2, zero = 0.0;
	volatile float f = 0.1f;
	assert(a + b != 0.3 && a + b > 0.3 && (float)(a + b) == 0.3f);
	assert((double)f != a && (float)a == f);
	assert(1 / zero > 1e308 && -1 / zero < -1e308);
	double nan = zero / zero;
	assert(nan != nan && !(nan < 1) && !(nan > 1) && !(nan == nan));
	assert(-zero == zero && 1 / -zero < 0);
	assert((int)2.9 == 2 && (int)-2.9 == -2 && (float)16777217 == 16777216.0f);
	assert(sqrt(16.0) == 4.0 && fabs(-2.5) == 2.5 && floor(-1.5) == -2.0 && fmod(7.5, 2.0) == 1.5);
	volatile unsigned long big = 0xffffffffffffffffUL;
	assert((double)big == 18446744073709551616.0 && (unsigned long)1e19 == 10000000000000000000UL);
	assert(isnan(nan) && isinf(1 / zero) && !isnan(a));
	return 0;
}
