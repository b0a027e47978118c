/* expect: holds
 * what: calloc sees that the size does not fit and gives null
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
	volatile size_t many = SIZE_MAX / 2;
	int *p = calloc(many, sizeof *p);
	assert(!p);
	p = calloc(4, sizeof *p);
	assert(p && !p[0] && !p[3]);
	free(p);
	return 0;
}
