/* expect: holds
 * what: volatile and restrict do not change what a program without races computes
 */
#include <assert.h>

static void add(int n, int *restrict a, const int *restrict b)
{
	while (n-- > 0)
		*a++ += *b++;
}

int main(void)
{
	volatile int v = 1;
	v += v;
	v++;
	assert(v == 3);
	int a[3] = {1, 2, 3}, b[3] = {4, 5, 6};
	add(3, a, b);
	assert(a[0] == 5 && a[2] == 9);
	return 0;
}
