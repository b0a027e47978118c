/* expect: violated
 * fault: bounds
 * line: 13
 * what: mbstowcs that fills its buffer writes no end
 */
#include <stdlib.h>
#include <wchar.h>

int main(void)
{
	wchar_t text[5];
	mbstowcs(text, "hello", 5);
	return wcslen(text) != 5; /* here */
}
