/* expect: violated
 * fault: assertion
 * line: 12
 * what: the counter of a processor may have any value
 */
#include <assert.h>
#include <x86intrin.h>

int main(void)
{
	unsigned long long now = __rdtsc();
	assert(now != 12345678);
	return 0;
}
