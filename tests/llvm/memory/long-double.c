/* expect: holds
 * what: long double has 64 bits of precision
 */
#include <assert.h>
#include <float.h>

static long double half(long double x)
{
	return x / 2;
}

int main(void)
{
	volatile long double one = 1.0L, small = 0x1p-63L;
	assert(one + small != one && one + small / 2 == one);
	assert(half(3.0L) == 1.5L && (double)half(one) == 0.5);
	assert((long)(one * 9007199254740993.0L) == 9007199254740993L);
	assert(sizeof(long double) == 16 && LDBL_MANT_DIG == 64);
	return 0;
}
