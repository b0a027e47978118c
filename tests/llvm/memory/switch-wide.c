/* expect: holds
 * what: a switch on a number of 128 bits looks at all of them
 */
#include <assert.h>

static int which(unsigned __int128 x)
{
	switch (x) {
	case 1:
		return 1;
	case ((unsigned __int128)1 << 64) | 1:
		return 2;
	case ((unsigned __int128)7 << 100):
		return 3;
	default:
		return 0;
	}
}

int main(void)
{
	unsigned __int128 one = 1;
	assert(which(one) == 1);
	assert(which(one << 64 | 1) == 2);
	assert(which((one << 102) + (one << 101) + (one << 100)) == 3);
	assert(which(one << 64) == 0 && which(0) == 0);
	return 0;
}
