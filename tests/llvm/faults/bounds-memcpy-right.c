/* expect: holds
 * what: memcpy of exactly the size
 */
#include <string.h>

int main(void)
{
	char from[3] = {1, 2, 3}, to[8];
	memset(to, 0, sizeof to);
	memcpy(to + 5, from, sizeof from);
	return to[7] - 3;
}
