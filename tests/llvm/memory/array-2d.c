/* expect: holds
 * what: arrays of arrays, and arrays of pointers to rows
 */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
	int a[3][4], (*row)[4] = a;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 4; j++)
			a[i][j] = 10 * i + j;
	assert(row[2][3] == 23 && (*(row + 1))[2] == 12 && **a == 0 && *(*(a + 1) + 1) == 11);
	assert(sizeof a == 48 && sizeof a[0] == 16);
	int **rows = malloc(2 * sizeof *rows);
	for (int i = 0; i < 2; i++)
		rows[i] = calloc(3, sizeof **rows);
	rows[1][2] = 5;
	assert(rows[1][2] + rows[0][2] == 5);
	for (int i = 0; i < 2; i++)
		free(rows[i]);
	free(rows);
	return 0;
}
