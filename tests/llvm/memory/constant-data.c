/* expect: holds
 * what: constants: tables, strings, pointers in initialisers
 */
#include <assert.h>
#include <string.h>

static const char *const names[] = {"zero", "one", "two"};
static const struct { int n; const char *name; const int *where; } table[] = {
	{1, "one", &table[1].n},
	{2, "two", &table[0].n},
};
static int numbers[3] = {1, 2, 3};
static int *const middle = &numbers[1];
static char *end = (char *)&numbers[3];

int main(void)
{
	assert(strcmp(names[2], "two") == 0 && names[1][2] == 'e');
	assert(*table[0].where == 2 && *table[1].where == 1);
	*middle = 9;
	assert(numbers[1] == 9 && end - (char *)numbers == 12);
	assert(sizeof names / sizeof *names == 3 && sizeof "abc" == 4 && "abc"[1] == 'b');
	assert(L'x' == 'x' && sizeof L"ab" == 12);
	return 0;
}
