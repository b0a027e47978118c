/* expect: holds
 * what: powers, logarithms and the like of long doubles where they are exact
 */
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>

int main(void)
{
	volatile long double zero = 0, one = 1, two = 2, three = 3, ten = 10, inf = INFINITY, nan = NAN;

	assert(powl(ten, 27) == 1e27L && powl(three, 40) == 12157665459056928801.0L);
	assert(powl(two, -16445) == 0x1p-16445L && powl(-two, 3) == -8 && powl(1.5L, 3) == 3.375L);
	assert(powl(-zero, -3) == -inf && powl(-inf, -3) == 0 && signbit(powl(-inf, -3)));
	assert(powl(nan, 0) == 1 && powl(one, nan) == 1 && isnan(powl(nan, two)) && isnan(powl(-two, 0.5L)));
	assert(exp2l(two * 8000) == 0x1p16000L && log2l(0x1p-16000L) == -16000);
	assert(exp10l(three) == 1000 && log10l(one) == 0);
	assert(cbrtl(-27 * one) == -3 && hypotl(three, -4) == 5 && hypotl(-inf, nan) == inf);
	assert(sinl(zero) == 0 && cosl(zero) == 1 && expl(zero) == 1 && logl(one) == 0);
	assert(expl(-inf) == 0 && logl(zero) == -inf && tanhl(-inf) == -1 && atanhl(one) == inf);
	assert(signbit(sinl(-zero)) && isnan(sinl(inf)) && isnan(logl(-two)) && isnan(acosl(two)));
	assert(atan2l(-zero, two) == 0 && signbit(atan2l(-zero, two)) && isnan(expl(nan)));
	return 0;
}
