/* expect: holds
 * what: arrays of variable length in nested blocks and loops; alloca lives as long as its function
 */
#include <alloca.h>
#include <assert.h>

volatile int three = 3;

int main(void)
{
	int n = three;
	int outer[n];
	int *kept = alloca(sizeof *kept);
	*kept = 9;
	for (int i = 0; i < n; i++)
		outer[i] = i;
	for (int round = 1; round <= n; round++) {
		int inner[round];
		for (int i = 0; i < round; i++)
			inner[i] = outer[i];
		{
			int deeper[n + round];
			deeper[n + round - 1] = inner[round - 1];
			assert(deeper[n + round - 1] == round - 1);
		}
		assert(inner[round - 1] == round - 1);
	}
	assert(outer[2] == 2 && *kept == 9);
	return 0;
}
