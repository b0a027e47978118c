/* expect: holds
 * what: swprintf and wprintf
 */
#include <assert.h>
#include <stdio.h>
#include <wchar.h>

int main(void)
{
	wchar_t text[12];
	assert(swprintf(text, 12, L"%d-%s-%ls", 42, "ab", L"cd") == 8 && !wcscmp(text, L"42-ab-cd"));
	assert(swprintf(text, 4, L"%d", 12345) < 0);
	wprintf(L"%ls %5.1f\n", text, 2.5);
	fputws(L"a line\n", stdout);
	putwchar(L'x');
	return 0;
}
