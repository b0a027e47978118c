/* expect: holds
 * what: the functions for texts
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(void)
{
	char a[16] = "one";
	assert(strlen(a) == 3 && strnlen(a, 2) == 2 && strlen("") == 0);
	strcat(a, " two");
	assert(strcmp(a, "one two") == 0);
	strncat(a, "three", 2);
	assert(strcmp(a, "one twoth") == 0);
	assert(strncmp("abcd", "abxy", 2) == 0 && strncmp("abc", "abd", 3) < 0 && strcmp("b", "a") > 0);
	assert(strcasecmp("HeLLo", "hEllO") == 0 && strncasecmp("ABx", "aby", 2) == 0);
	assert(strchr(a, 'o') == a && strrchr(a, 'o') == a + 6 && strchr(a, 'q') == 0 && *strchr(a, 0) == 0);
	assert(strstr(a, "two") == a + 4 && strstr(a, "") == a && strstr(a, "xyz") == 0);
	assert(strspn("aabc", "ab") == 3 && strcspn("hello", "lo") == 2 && *strpbrk("hello", "xl") == 'l');
	char b[6];
	strncpy(b, "abc", sizeof b);
	assert(b[2] == 'c' && b[3] == 0 && b[5] == 0);
	char *copy = strdup(a), *part = strndup(a, 3);
	assert(strcmp(copy, a) == 0 && strcmp(part, "one") == 0 && copy != a);
	free(copy);
	free(part);
	return 0;
}
