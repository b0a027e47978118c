/* expect: unknown
 * reason: unsupported
 * what: a sine to 64 bits is not guessed
 */
#include <assert.h>
#include <math.h>

int main(void)
{
	volatile long double half = 0.5L;
	assert(sinl(half) < half);
	return 0;
}
