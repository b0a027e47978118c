/* expect: unknown
 * reason: unsupported
 * what: two pointers are exchanged by exclusive or
 */
#include <assert.h>
#include <stdint.h>

int main(void)
{
	int x = 1, y = 2;
	uintptr_t a = (uintptr_t)&x, b = (uintptr_t)&y;
	a ^= b;
	b ^= a;
	a ^= b;
	assert(*(int *)a == 2 && *(int *)b == 1);
	return 0;
}
