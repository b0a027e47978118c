/* expect: holds
 * what: wide characters to and from bytes: in the C locale both are ASCII and the rest is an error
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>

int main(void)
{
	wchar_t c = 0, wide[8];
	char bytes[8];
	mbstate_t state = {0};
	assert(MB_CUR_MAX == 1);
	assert(mbtowc(&c, "a", 1) == 1 && c == L'a' && mbtowc(&c, "", 1) == 0 && mbtowc(NULL, NULL, 0) == 0);
	assert(mblen("a", 1) == 1 && mblen("\xe9", 1) == -1);
	assert(wctomb(bytes, L'b') == 1 && bytes[0] == 'b' && wctomb(bytes, 0xe9) == -1);
	assert(mbstowcs(wide, "hello", 8) == 5 && !wcscmp(wide, L"hello") && mbstowcs(NULL, "abc", 0) == 3);
	assert(wcstombs(bytes, L"hello", 8) == 5 && !strcmp(bytes, "hello") && wcstombs(bytes, L"hello", 2) == 2);
	assert(mbrtowc(&c, "z", 1, &state) == 1 && c == L'z' && mbrtowc(&c, "z", 0, &state) == (size_t)-2);
	errno = 0;
	assert(wcrtomb(bytes, 0x20ac, &state) == (size_t)-1 && errno == EILSEQ);
	assert(mbsinit(&state) && btowc('x') == L'x' && btowc(0xe9) == WEOF && wctob(L'x') == 'x');
	const char *from = "ab\xe9";
	errno = 0;
	assert(mbsrtowcs(wide, &from, 8, &state) == (size_t)-1 && errno == EILSEQ && (unsigned char)*from == 0xe9);
	from = "abc";
	assert(mbsrtowcs(wide, &from, 8, &state) == 3 && !from);
	char16_t narrow = 0;
	assert(mbrtoc16(&narrow, "q", 1, &state) == 1 && narrow == u'q');
	return 0;
}
