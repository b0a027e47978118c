/* expect: violated
 * fault: wild
 * line: 12
 * what: a number is used as an address
 */
#include <stdint.h>

int main(void)
{
	volatile uintptr_t number = 0x12345678;
	int *p = (int *)number;
	return *p; /* here */
}
