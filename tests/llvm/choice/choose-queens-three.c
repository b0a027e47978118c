/* expect: holds
 * what: three queens cannot be placed
 */
#include <assert.h>
#include <stdlib.h>
#include "auspex.h"

#define N 3

int main(void)
{
	int column[N];
	for (int i = 0; i < N; i++) {
		column[i] = __auspex_choose(N);
		for (int j = 0; j < i; j++)
			__auspex_assume(column[i] != column[j] && abs(column[i] - column[j]) != i - j);
	}
	assert(0);
	return 0;
}
