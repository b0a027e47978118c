/* expect: violated
 * fault: wild
 * line: 12
 * what: a pointer made of bytes that never were a pointer
 */
#include <string.h>

int main(void)
{
	int *p;
	memset(&p, 0x5a, sizeof p);
	return *p; /* here */
}
