/* expect: violated
 * fault: null
 * line: 12
 * what: a variable of the environment that is not there is used as a text
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
	const char *value = getenv("AUSPEX_IS_NOT_SET");
	return strlen(value) > 5; /* here */
}
