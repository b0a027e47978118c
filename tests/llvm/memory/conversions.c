/* expect: holds
 * what: signed and unsigned: what becomes of the sign
 */
#include <assert.h>
#include <limits.h>

int main(void)
{
	volatile int minus = -1;
	volatile unsigned one = 1;
	assert((unsigned)minus == UINT_MAX);
	assert(minus > one);                            /* minus is made unsigned */
	assert((long)minus < (long)one);
	volatile unsigned char c = 200;
	assert((signed char)c == -56 && c + c == 400);
	volatile char plain = (char)200;
	assert(plain < 0);                              /* char has a sign here */
	assert((unsigned short)minus == 65535 && (short)40000 == -25536);
	assert((unsigned long)minus == ULONG_MAX && (unsigned long)(unsigned)minus == UINT_MAX);
	volatile long big = 0x100000002;
	assert((int)big == 2 && (_Bool)big == 1 && (_Bool)0.5 == 1);
	assert(sizeof 'a' == sizeof(int) && sizeof(char) == 1);
	return 0;
}
