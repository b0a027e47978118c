/* expect: holds
 * what: sorting and searching with a comparison of one's own
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct entry { const char *name; int value; };

static int by_value(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	return (x->value > y->value) - (x->value < y->value);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

int main(void)
{
	struct entry e[] = {{"pear", 3}, {"apple", 5}, {"fig", 1}, {"lime", -4}};
	qsort(e, 4, sizeof *e, by_value);
	assert(e[0].value == -4 && e[1].value == 1 && e[2].value == 3 && e[3].value == 5);
	qsort(e, 4, sizeof *e, by_name);
	assert(e[0].value == 5 && e[1].value == 1 && e[2].value == -4 && e[3].value == 3);
	struct entry key = {"lime", 0}, *found = bsearch(&key, e, 4, sizeof *e, by_name);
	assert(found == &e[2] && found->value == -4);
	key.name = "kiwi";
	assert(!bsearch(&key, e, 4, sizeof *e, by_name));
	qsort(e, 0, sizeof *e, by_name);
	return 0;
}
