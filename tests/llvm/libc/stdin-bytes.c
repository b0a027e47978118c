/* expect: holds
 * flags: --any-stdin 2
 * what: what comes in is read byte by byte, in order: any input of up to two bytes
 */
#include <assert.h>
#include <stdio.h>

int main(void)
{
	int first = getchar();
	int second = getchar();
	assert(first >= -1 && first <= 255);
	assert(first != EOF || second == EOF);
	assert(getchar() == EOF);
	assert(feof(stdin));
	return 0;
}
