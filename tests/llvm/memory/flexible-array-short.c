/* expect: violated
 * fault: bounds
 * line: 15
 * what: the array at the end has one element less than is written
 */
#include <stdlib.h>

struct text { int length; char letters[]; };

int main(void)
{
	struct text *t = malloc(sizeof *t + 3);
	t->length = 3;
	for (int i = 0; i <= t->length; i++)
		t->letters[i] = 'a'; /* here */
	free(t);
	return 0;
}
