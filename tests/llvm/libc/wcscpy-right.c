/* expect: holds
 * what: room for as many wide characters
 */
#include <stdlib.h>
#include <wchar.h>

int main(void)
{
	wchar_t *copy = malloc(6 * sizeof *copy);
	if (copy) wcscpy(copy, L"hello");
	free(copy);
	return 0;
}
