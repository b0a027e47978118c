/* expect: holds
 * what: less common functions on text (GNU, BSD), bits and the widest integers
 */
#define _GNU_SOURCE
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(void)
{
	assert(strverscmp("file9", "file10") < 0 && strverscmp("1.01", "1.1") < 0 && strverscmp("a", "a") == 0);
	assert(ffs(0) == 0 && ffs(8) == 4 && ffsl(0x10) == 5 && ffsll(1ll << 40) == 41);
	imaxdiv_t d = imaxdiv(-7, 2);
	assert(d.quot == -3 && d.rem == -1 && imaxabs(-5) == 5);
	char text[] = "ro,size=5,what", *rest = text, *value;
	char *const names[] = {"ro", "size", NULL};
	assert(getsubopt(&rest, names, &value) == 0 && !value);
	assert(getsubopt(&rest, names, &value) == 1 && !strcmp(value, "5"));
	assert(getsubopt(&rest, names, &value) == -1 && !strcmp(value, "what") && !*rest);
	char list[] = "a:b", *p = list, buffer[8];
	assert(!strcmp(strsep(&p, ":"), "a") && !strcmp(strsep(&p, ":"), "b") && !strsep(&p, ":"));
	assert(*strchrnul("abc", 'z') == 0 && strcasestr("HeLLo", "ll") && memmem("abcd", 4, "cd", 2));
	assert(mempcpy(buffer, "ab", 2) == buffer + 2 && stpcpy(buffer, "abc") == buffer + 3);
	assert(stpncpy(buffer, "ab", 4) == buffer + 2 && rawmemchr("abc", 'c'));
	return 0;
}
