/* expect: violated
 * fault: constant
 * line: 12
 * what: dirname changes its argument, which is a constant
 */
#include <libgen.h>
#include <string.h>

int main(void)
{
	char *path = "/usr/lib";
	return strcmp(dirname(path), "/usr"); /* here */
}
