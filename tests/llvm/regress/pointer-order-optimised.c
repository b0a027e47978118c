/* expect: holds
 * flags: -O 1
 * what: what the optimiser makes of a loop between two pointers (llvm.usub.sat, llvm.umax of addresses) is computed
 */
#include <assert.h>

volatile int start = 7;

int main(void)
{
	int a[10];
	for (int i = 0; i < 10; i++)
		a[i] = i;
	int *p = a + start;
	while (p > a)
		p--;
	assert(*p == 0);
	p = a + start;
	int *end = a + 3;
	while (p > end)
		p--;
	assert(*p == 3);
	return 0;
}
