/* expect: holds
 * what: snprintf cuts the text and says how long it would have been
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	char text[6] = "xxxxx";
	assert(snprintf(text, sizeof text, "%s", "hello, world") == 12);
	assert(strcmp(text, "hello") == 0);
	assert(snprintf(0, 0, "%d", 12345) == 5);
	assert(sprintf(text, "%d-%d", 12, 34) == 5 && strcmp(text, "12-34") == 0);
	assert(snprintf(text, 1, "%s", "abc") == 3 && text[0] == 0);
	return 0;
}
