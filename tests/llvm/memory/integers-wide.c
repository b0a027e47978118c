/* expect: holds
 * what: 64-bit and 128-bit integers
 */
#include <assert.h>
#include <stdint.h>

int main(void)
{
	volatile uint64_t a = 0xffffffffffffffffu, b = 0x123456789abcdef0u;
	assert(a * b == 0 - b && a + 1 == 0 && (b >> 36) == 0x1234567);
	unsigned __int128 p = (unsigned __int128)a * b;
	assert((uint64_t)(p >> 64) == b - 1 && (uint64_t)p == 0 - b);
	assert(p / b == a && p % b == 0);
	volatile __int128 n = -((__int128)1 << 100);
	assert(n < 0 && n / 4 == -((__int128)1 << 98) && (n >> 100) == -1);
	volatile int64_t s = -7;
	assert(s / 2 == -3 && s % 2 == -1 && s >> 1 == -4);
	return 0;
}
