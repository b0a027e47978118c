/* expect: violated
 * fault: assertion
 * flags: --any-stdin 2
 * line: 12
 * what: among all inputs of up to two bytes is the one that is not expected
 */
#include <assert.h>
#include <stdio.h>
int main(void)
{
	int number;
	assert(scanf("%d", &number) != 1 || number != 42);
	return 0;
}
