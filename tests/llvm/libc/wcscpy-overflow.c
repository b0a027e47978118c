/* expect: violated
 * fault: bounds
 * line: 13
 * what: room for as many bytes, but not for as many wide characters
 */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void)
{
	wchar_t *copy = malloc(6);
	if (copy) wcscpy(copy, L"hello"); /* here */
	free(copy);
	return 0;
}
