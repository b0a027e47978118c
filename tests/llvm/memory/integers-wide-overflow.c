/* expect: violated
 * fault: overflow
 * line: 12
 * what: a product that does not fit into 64 bits
 */
#include <stdint.h>

static int64_t power(int64_t base, int n)
{
	int64_t result = 1;
	while (n-- > 0)
		result *= base; /* here */
	return result;
}

int main(void)
{
	return power(10, 18) < power(10, 19);
}
