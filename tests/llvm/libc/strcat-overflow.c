/* expect: violated
 * fault: bounds
 * line: 11
 * what: strcat writes past the end
 */
#include <string.h>

int main(void)
{
	char path[8] = "/tmp/";
	strcat(path, "abc"); /* here */
	return 0;
}
