/* expect: holds
 * what: arrays inside structures: the address behind the last element, the last member of a structure that is larger than it says,
 *       structures that are copied as bytes
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct pair {
	int first[3];
	int second[3];
};
struct old {
	int length;
	char text[1];
};

int main(void)
{
	struct pair p = { { 1, 2, 3 }, { 4, 5, 6 } };
	int sum = 0;
	for (int *i = &p.first[0]; i != &p.first[3]; i++)
		sum += *i;
	for (int *i = p.second; i < p.second + 3; i++)
		sum += *i;
	assert(sum == 21);
	struct old *o = malloc(sizeof *o + 8);
	o->length = 8;
	for (int i = 0; i < o->length; i++)
		o->text[i] = 'a' + i;
	assert(o->text[7] == 'h');
	free(o);
	int grid[2][2] = { { 1, 2 }, { 3, 4 } };
	int *flat = &grid[0][0];
	int flat_sum = 0;
	memcpy(&sum, &grid[1][1], sizeof sum);
	for (int row = 0; row < 2; row++)
		for (int i = 0; i < 2; i++)
			flat_sum += grid[row][i];
	assert(flat_sum == 10 && sum == 4 && flat[1] == 2);
	return 0;
}
