/* expect: holds
 * what: conversions between long double and all other numbers
 */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>

static volatile long double exact = 9007199254740993.0L, top = 18446744073709551615.0L;

int main(void)
{
	/* From integers: 64 bits fit, 128 are rounded. */
	volatile int64_t least = INT64_MIN, most = INT64_MAX;
	volatile uint64_t all = UINT64_MAX;
	volatile __int128 wide = ((__int128)1 << 100) + 1, minus = -wide;
	volatile unsigned __int128 full = ~(unsigned __int128)0;
	volatile signed char small = -3;
	volatile _Bool yes = 1;
	assert((long double)least == -0x1p63L && (long double)most == 0x1p63L - 1);
	assert((long double)all == top && top == 0x1p64L - 1);
	assert((long double)wide == 0x1p100L && (long double)minus == -0x1p100L);
	assert((long double)full == 0x1p128L && (long double)(full >> 64) == top);
	assert((long double)small == -3 && (long double)yes == 1);

	/* To integers: towards 0. */
	assert((int64_t)exact == 9007199254740993 && (uint64_t)top == UINT64_MAX);
	assert((int64_t)(0x1p63L - 1) == INT64_MAX && (int64_t)-0x1p63L == INT64_MIN);
	assert((int)(exact / exact * -2.75L) == -2 && (unsigned char)(top / top * 255.9L) == 255);
	assert((unsigned)(top / top * -0.99L) == 0 && (_Bool)(exact - exact) == 0 && (_Bool)exact);
	assert((__int128)(top * 1024) == (__int128)UINT64_MAX << 10);
	assert((unsigned __int128)(top * 0x1p64L) == (unsigned __int128)UINT64_MAX << 64);

	/* To and from other floats: rounded once. */
	volatile long double between = 1 + 0x1p-24L + 0x1p-60L, half = 1 + 0x1p-24L, half2 = 1 + 3 * 0x1p-24L;
	assert((float)between == 1 + 0x1p-23f && (float)(double)between == 1);
	assert((float)half == 1 && (float)half2 == 1 + 0x1p-22f);
	assert((double)(1 + 0x1p-53L) == 1 && (double)(1 + 0x1p-53L + 0x1p-63L) == 1 + 0x1p-52);
	assert((double)0x1p-1074L == 0x1p-1074 && (double)0x1p-1075L == 0 && (double)0x1.8p-1075L == 0x1p-1074);
	assert((float)0x1p128L == INFINITY && (double)-0x1p1024L == -INFINITY && signbit((double)-0.0L));
	volatile double d = 0x1.123456789abcdp-1060;
	volatile float f = 0x1p-149f;
	assert((double)(long double)d == d && (float)(long double)f == f && (long double)f == 0x1p-149L);
	assert(isnan((double)(long double)NAN) && (long double)INFINITY == INFINITY);

	/* Mixed arithmetic, in long double. */
	volatile double tenth = 0.1;
	volatile long sum = 3;
	assert(tenth + 0.0L != 0.1L && sum * 0.1L == 0.3L);
	sum += 0x1p60L;
	assert(sum == (1L << 60) + 3);
	tenth += 0.1L;
	assert(tenth == 0.2);
	return 0;
}
