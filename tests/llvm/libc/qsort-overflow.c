/* expect: violated
 * fault: overflow
 * line: 11
 * what: a comparison by subtraction
 */
#include <limits.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b; /* here */
}

int main(void)
{
	int numbers[2] = {INT_MAX, -1};
	qsort(numbers, 2, sizeof *numbers, compare);
	return 0;
}
