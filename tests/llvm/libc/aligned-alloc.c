/* expect: holds
 * what: aligned memory
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
	void *p = aligned_alloc(64, 128), *q = 0;
	assert(p && (uintptr_t)p % 64 == 0);
	assert(posix_memalign(&q, 256, 100) == 0 && (uintptr_t)q % 256 == 0);
	void *r = malloc(1);
	assert((uintptr_t)r % 16 == 0 && r != p && r != q);
	free(p);
	free(q);
	free(r);
	return 0;
}
