/* expect: unknown
 * reason: unsupported
 * what: whether an object lies below some address is not known
 */
#include <stdint.h>

int main(void)
{
	int x, low = (uintptr_t)&x < 0x100000000;

	return low > 1;
}
