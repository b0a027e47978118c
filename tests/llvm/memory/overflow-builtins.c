/* expect: holds
 * what: __builtin_add_overflow and its brothers find overflow without being one
 */
#include <assert.h>
#include <limits.h>

int main(void)
{
	int r;
	volatile int big = INT_MAX;
	assert(__builtin_add_overflow(big, 1, &r) && r == INT_MIN);
	assert(!__builtin_sub_overflow(big, 1, &r) && r == INT_MAX - 1);
	assert(__builtin_mul_overflow(big, 2, &r));
	unsigned u;
	assert(__builtin_sub_overflow(0u, 1u, &u) && u == UINT_MAX);
	return 0;
}
