/* expect: holds
 * what: memcpy, memmove with overlap, memset, memcmp, memchr
 */
#include <assert.h>
#include <string.h>

int main(void)
{
	char a[] = "abcdefgh";
	memmove(a + 2, a, 5);
	assert(strcmp(a, "ababcdeh") == 0);
	memmove(a, a + 2, 5);
	assert(strcmp(a, "abcdedeh") == 0);
	char b[9];
	memcpy(b, a, sizeof b);
	assert(memcmp(a, b, sizeof b) == 0);
	b[3] = 'z';
	assert(memcmp(a, b, sizeof b) < 0 && memcmp(b, a, sizeof b) > 0 && memcmp(a, b, 3) == 0);
	assert(memchr(a, 'd', sizeof a) == a + 3 && memchr(a, 'x', sizeof a) == 0);
	memset(b, '-', 3);
	assert(strcmp(b, "---zedeh") == 0);
	unsigned char high[2] = {0x80, 0}, low[2] = {0x7f, 0};
	assert(memcmp(high, low, 1) > 0 && strcmp((char *)high, (char *)low) > 0);
	return 0;
}
