/* expect: violated
 * fault: leak
 * what: a copy that nobody frees
 */
#include <string.h>

int main(void)
{
	return (int)strlen(strdup("text")) - 4;
}
