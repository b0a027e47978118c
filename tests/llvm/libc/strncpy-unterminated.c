/* expect: violated
 * fault: bounds
 * line: 12
 * what: strncpy leaves no ending zero when the text is too long
 */
#include <string.h>

int main(void)
{
	char small[4];
	strncpy(small, "long text", sizeof small);
	return strlen(small) > 4; /* here */
}
