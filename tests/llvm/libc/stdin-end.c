/* expect: holds
 * what: the input is empty
 */
#include <assert.h>
#include <stdio.h>

int main(void)
{
	char line[16];
	int n;
	assert(getchar() == EOF);
	assert(feof(stdin));
	assert(fgets(line, sizeof line, stdin) == 0);
	assert(scanf("%d", &n) == EOF);
	return 0;
}
