/* expect: holds
 * what: functions of the mathematical library
 */
#include <assert.h>
#include <math.h>

int main(void)
{
	assert(sqrt(2.25) == 1.5 && pow(2, 10) == 1024 && fabs(-3.5) == 3.5);
	assert(floor(2.7) == 2 && ceil(2.1) == 3 && round(2.5) == 3 && round(-2.5) == -3 && trunc(-2.7) == -2);
	assert(fmod(-7, 3) == -1 && fmax(1, 2) == 2 && fmin(1, 2) == 1);
	assert(sin(0) == 0 && cos(0) == 1 && exp(0) == 1 && log(1) == 0);
	assert(isnan(sqrt(-1)) && isinf(exp(1000)) && lround(1.5) == 2);
	assert(ldexp(0.5, 4) == 8 && hypot(3, 4) == 5 && sqrtf(4.0f) == 2.0f);
	return 0;
}
