/* expect: holds
 * what: room for the ending zero too
 */
#include <string.h>

int main(void)
{
	char small[6];
	const char *volatile text = "hello";
	strcpy(small, text);
	return small[5];
}
