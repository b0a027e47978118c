/* expect: holds
 * what: shifts and bit tricks
 */
#include <assert.h>
#include <stdint.h>

static uint32_t rotate(uint32_t x, unsigned n)
{
	return x << n % 32 | x >> (32 - n % 32) % 32;
}

int main(void)
{
	volatile uint32_t x = 0x80000001;
	assert(rotate(x, 1) == 3 && rotate(x, 0) == x && rotate(x, 32) == x);
	assert((x & (0 - x)) == 1 && (x & (x - 1)) == 0x80000000);
	assert(__builtin_popcount(x) == 2 && __builtin_clz(x) == 0 && __builtin_ctz(x << 4) == 4);
	assert(__builtin_bswap32(x) == 0x01000080);
	volatile int8_t s = -128;
	assert(s >> 7 == -1 && (uint8_t)s >> 7 == 1);
	assert((uint16_t)(0xabcd << 4) == 0xbcd0);
	return 0;
}
