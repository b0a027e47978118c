/* expect: violated
 * fault: assertion
 * line: 12
 * what: a negative length compared with an unsigned one
 */
#include <assert.h>
#include <string.h>

int main(void)
{
	int wanted = -1;
	assert(strlen("abc") > (unsigned long)wanted); /* here */
	return 0;
}
