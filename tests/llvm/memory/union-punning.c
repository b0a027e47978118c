/* expect: holds
 * what: the bytes of one member of a union are read through another
 */
#include <assert.h>
#include <stdint.h>

union pun { uint32_t word; uint8_t bytes[4]; float number; struct { uint16_t low, high; } halves; };

int main(void)
{
	union pun p = {.word = 0x11223344};
	assert(p.bytes[0] == 0x44 && p.bytes[3] == 0x11);
	assert(p.halves.low == 0x3344 && p.halves.high == 0x1122);
	p.number = 1.0f;
	assert(p.word == 0x3f800000);
	p.bytes[3] = 0xbf;
	assert(p.number == -1.0f);
	return 0;
}
