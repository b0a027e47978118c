/* expect: holds
 * flags: -O 2
 * what: three-way comparisons of optimised code (llvm.scmp, llvm.ucmp) have as many bits as their result
 */
#include <assert.h>

volatile long first = 3, second = 5;
volatile int low = -3, high = 7;
volatile int order;
volatile unsigned long wide;
volatile signed char small;

int main(void)
{
	long a = first, b = second;
	order = (a > b) - (a < b);
	assert(order == -1);
	wide = (unsigned)((a > b) - (a < b));
	assert(wide == 0xffffffff);
	int i = low, j = high;
	small = (i > j) - (i < j);
	assert(small == -1);
	unsigned x = low, y = high;
	order = (x > y) - (x < y);
	assert(order == 1);
	return 0;
}
