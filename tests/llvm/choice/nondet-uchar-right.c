/* expect: holds
 * what: every unsigned char is tried: turning the bits around twice changes nothing
 */
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char turn(unsigned char c)
{
	c = (unsigned char)((c & 0x0f) << 4 | (c & 0xf0) >> 4);
	c = (unsigned char)((c & 0x33) << 2 | (c & 0xcc) >> 2);
	return (unsigned char)((c & 0x55) << 1 | (c & 0xaa) >> 1);
}

int main(void)
{
	unsigned char c = __VERIFIER_nondet_uchar();
	assert(turn(turn(c)) == c);
	return 0;
}
