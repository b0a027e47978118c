/* expect: holds
 * what: reading from a text
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	int a = 0, b = 0, n = 0;
	unsigned x = 0;
	long l = 0;
	char word[8], c = 0;
	double d = 0;
	assert(sscanf("12 -34", "%d %d", &a, &b) == 2 && a == 12 && b == -34);
	assert(sscanf("ff rest", "%x %7s", &x, word) == 2 && x == 255 && strcmp(word, "rest") == 0);
	assert(sscanf("1x", "%d%c%n", &a, &c, &n) == 2 && a == 1 && c == 'x' && n == 2);
	assert(sscanf("abc", "%d", &a) == 0 && a == 1);
	assert(sscanf("", "%d", &a) == EOF);
	assert(sscanf("key=99", "key=%ld", &l) == 1 && l == 99);
	assert(sscanf("2.5", "%lf", &d) == 1 && d == 2.5);
	assert(sscanf("longword", "%3s", word) == 1 && strcmp(word, "lon") == 0);
	assert(sscanf("7 8", "%*d %d", &b) == 1 && b == 8);
	return 0;
}
