/* expect: holds
 * what: rounding to the nearest; floating-point exceptions that the program raises itself
 */
#include <assert.h>
#include <fenv.h>

int main(void)
{
	fenv_t saved;
	assert(fegetround() == FE_TONEAREST && fesetround(FE_TONEAREST) == 0 && fesetround(12345) != 0);
	assert(feclearexcept(FE_ALL_EXCEPT) == 0);
	assert(feraiseexcept(FE_OVERFLOW | FE_INVALID) == 0 && fetestexcept(FE_INVALID) == FE_INVALID);
	assert(feholdexcept(&saved) == 0 && feraiseexcept(FE_DIVBYZERO) == 0);
	assert(feupdateenv(&saved) == 0);
	assert(fetestexcept(FE_DIVBYZERO | FE_INVALID) == (FE_DIVBYZERO | FE_INVALID));
	assert(fesetenv(FE_DFL_ENV) == 0);
	return 0;
}
