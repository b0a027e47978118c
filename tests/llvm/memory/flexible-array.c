/* expect: holds
 * what: a structure with an array of any length at its end
 */
#include <assert.h>
#include <stdlib.h>

struct text { int length; char letters[]; };

int main(void)
{
	struct text *t = malloc(sizeof *t + 3);
	t->length = 3;
	for (int i = 0; i < t->length; i++)
		t->letters[i] = (char)('a' + i);
	assert(t->letters[2] == 'c');
	free(t);
	return 0;
}
