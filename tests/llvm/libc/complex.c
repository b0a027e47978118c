/* expect: holds
 * what: complex numbers: products and quotients (library calls of the compiler), also of infinities
 */
#include <assert.h>
#include <complex.h>
#include <math.h>

volatile double one = 1, two = 2, infinite = INFINITY;

int main(void)
{
	double complex a = one + two * I, b = 3 - I;
	double complex c = a * b;
	assert(creal(c) == 5 && cimag(c) == 5);
	c = c / b;
	assert(cabs(c - a) < 1e-9);
	float complex f = a;
	f *= f;
	assert(crealf(f) == -3 && cimagf(f) == 4);
	long double complex l = a;
	l = l * l / l;
	assert(creall(l) == 1 && cimagl(l) == 2);
	assert(creal(conj(a)) == 1 && cimag(conj(a)) == -2);
	assert(cabs(3 + 4 * I) == 5);
	double complex big = __builtin_complex(infinite, 1.0) * __builtin_complex(1.0, 1.0);
	assert(isinf(creal(big)) && isinf(cimag(big)));
	double complex none = __builtin_complex(1.0, 1.0) / __builtin_complex(infinite, 0.0);
	assert(creal(none) == 0 && cimag(none) == 0);
	double complex much = __builtin_complex(1.0, 0.0) / __builtin_complex(0.0, 0.0);
	assert(isinf(creal(much)));
	return 0;
}
