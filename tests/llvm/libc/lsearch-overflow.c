/* expect: violated
 * fault: bounds
 * line: 20
 * what: lsearch adds to an array that is full
 */
#include <search.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(void)
{
	int *numbers = calloc(3, sizeof *numbers), new = 5;
	size_t count = 3;
	if (!numbers)
		return 1;
	lsearch(&new, numbers, &count, sizeof *numbers, compare); /* here */
	free(numbers);
	return 0;
}
