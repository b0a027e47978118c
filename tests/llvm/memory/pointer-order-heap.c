/* expect: unknown
 * reason: unsupported
 * what: which of two blocks comes first in memory is not known
 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(sizeof *p), *q = malloc(sizeof *q), less = p < q;
	free(p);
	free(q);
	return less > 1;
}
