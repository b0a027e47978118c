/* expect: holds
 * what: unsigned numbers may be shifted out of their range, signed ones within it, and constants are the compiler's business
 */
#include <assert.h>
#include <stdint.h>

volatile unsigned x = 3;
volatile int y = 5;
volatile uint8_t small = 255;
enum { TOP = 1u << 31 };

int main(void)
{
	assert((x << 31) == 0x80000000u);
	assert((y << 28) == 0x50000000);
	assert((uint8_t)(small << 4) == 0xf0);
	assert(((uint32_t)small << 24) == 0xff000000u);
	return 0;
}
