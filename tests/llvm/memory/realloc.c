/* expect: holds
 * what: realloc keeps what was there, grows and shrinks
 */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
	int *p = 0;
	for (unsigned n = 1; n <= 5; n++) {
		p = realloc(p, n * sizeof *p);
		p[n - 1] = (int)n;
	}
	int sum = 0;
	for (int i = 0; i < 5; i++)
		sum += p[i];
	assert(sum == 15);
	p = realloc(p, 2 * sizeof *p);
	assert(p[0] == 1 && p[1] == 2);
	free(p);
	return 0;
}
