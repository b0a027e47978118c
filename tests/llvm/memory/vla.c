/* expect: holds
 * what: arrays whose length is known only at run time
 */
#include <assert.h>

static int sum(int rows, int columns, int a[rows][columns])
{
	int total = 0;
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++)
			total += a[i][j];
	return total;
}

int main(void)
{
	for (int n = 1; n <= 3; n++) {
		int a[n][n + 1];
		for (int i = 0; i < n; i++)
			for (int j = 0; j <= n; j++)
				a[i][j] = 1;
		assert(sum(n, n + 1, a) == n * (n + 1));
		assert(sizeof a == sizeof(int) * (unsigned)(n * (n + 1)));
	}
	return 0;
}
