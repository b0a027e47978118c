/* expect: holds
 * what: a variable of the environment that is not there
 */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
	const char *value = getenv("AUSPEX_IS_NOT_SET");
	assert(value == 0);
	return 0;
}
