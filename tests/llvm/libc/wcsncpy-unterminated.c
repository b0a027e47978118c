/* expect: violated
 * fault: uninitialised
 * line: 12
 * what: wcsncpy that fills its part writes no end: what follows was never set
 */
#include <wchar.h>

int main(void)
{
	wchar_t text[8];
	wcsncpy(text, L"hello", 3);
	return wcschr(text, L'z') != 0; /* here */
}
