/* expect: holds
 * flags: --rand fixed
 * what: the same seed, the same numbers
 */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
	srand(3);
	int first = rand(), second = rand();
	assert(first >= 0 && first != second);
	srand(3);
	assert(rand() == first && rand() == second);
	unsigned state = 7, same = 7;
	assert(rand_r(&state) == rand_r(&same) && state == same);
	return 0;
}
