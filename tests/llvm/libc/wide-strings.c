/* expect: holds
 * what: strings and arrays of wide characters, their classes, numbers from them
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

static void strings(void)
{
	wchar_t text[8] = L"ab";
	assert(wcslen(text) == 2 && wcsnlen(text, 1) == 1);
	assert(wcscpy(text, L"abc") == text && !wcscmp(text, L"abc"));
	assert(wcscat(text, L"def") == text && !wcscmp(text, L"abcdef"));
	assert(wcsncat(text, L"ghi", 1) == text && !wcscmp(text, L"abcdefg"));
	assert(wcsncpy(text, L"xyz", 5) == text && text[3] == 0 && text[4] == 0 && text[5] == L'f');
	assert(wcscmp(L"a", L"b") < 0 && wcsncmp(L"abc", L"abd", 2) == 0 && wcscasecmp(L"AbC", L"aBc") == 0);
	const wchar_t *word = L"hello";
	assert(wcschr(word, L'l') == word + 2 && wcsrchr(word, L'l') == word + 3 && !wcschr(word, L'z'));
	assert(wcsstr(word, L"lo") == word + 3 && !wcsstr(word, L"oo"));
	assert(wcsspn(word, L"eh") == 2 && wcscspn(word, L"o") == 4 && wcspbrk(word, L"ol") == word + 2);
	wchar_t *copy = wcsdup(word), *rest;
	assert(copy && !wcscmp(copy, word));
	free(copy);
	wchar_t list[] = L"a,,b";
	assert(!wcscmp(wcstok(list, L",", &rest), L"a"));
	assert(!wcscmp(wcstok(NULL, L",", &rest), L"b") && !wcstok(NULL, L",", &rest));
}

static void arrays(void)
{
	wchar_t a[4], b[4];
	wmemset(a, L'x', 4);
	wmemcpy(b, a, 4);
	assert(!wmemcmp(a, b, 4));
	b[2] = L'y';
	assert(wmemcmp(a, b, 4) < 0 && wmemchr(b, L'y', 4) == b + 2);
	wmemmove(b, b + 1, 3);
	assert(b[1] == L'y');
}

static void classes(void)
{
	assert(iswalpha(L'a') && iswdigit(L'7') && iswspace(L' ') && iswupper(L'A') && iswpunct(L'!'));
	assert(!iswalpha(0xe9) && !iswprint(0x20ac) && !iswalpha(WEOF));
	assert(towupper(L'a') == L'A' && towlower(L'Z') == L'z' && towupper(0xe9) == 0xe9);
	assert(iswctype(L'f', wctype("xdigit")) && !wctype("none"));
}

static void numbers(void)
{
	wchar_t *end;
	assert(wcstol(L" -0x1fz", &end, 0) == -31 && *end == L'z');
	assert(wcstoul(L"42", NULL, 10) == 42 && wcstoll(L"777", NULL, 8) == 511);
	errno = 0;
	assert(wcstoll(L"99999999999999999999", NULL, 10) > 0 && errno == ERANGE);
	assert(wcstod(L"1.5e2x", &end) == 150 && *end == L'x');
}

int main(void)
{
	strings();
	arrays();
	classes();
	numbers();
	return 0;
}
