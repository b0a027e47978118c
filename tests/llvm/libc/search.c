/* expect: holds
 * what: lfind, lsearch, hsearch, tsearch, insque
 */
#define _GNU_SOURCE
#include <assert.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void arrays(void)
{
	int numbers[4] = {3, 1, 2}, wanted = 2, new = 5;
	size_t count = 3;
	assert(lfind(&wanted, numbers, &count, sizeof *numbers, compare) == &numbers[2]);
	assert(!lfind(&new, numbers, &count, sizeof *numbers, compare));
	assert(lsearch(&new, numbers, &count, sizeof *numbers, compare) == &numbers[3] && count == 4 && numbers[3] == 5);
}

static void names(void)
{
	assert(hcreate(5));
	ENTRY one = {"one", (void *)1}, two = {"two", (void *)2}, none = {"none", NULL};
	assert(hsearch(one, ENTER) && hsearch(two, ENTER));
	assert(hsearch((ENTRY){"two", NULL}, FIND)->data == (void *)2 && !hsearch(none, FIND));
	assert(hsearch((ENTRY){"one", NULL}, ENTER)->data == (void *)1);
	hdestroy();
}

static int visited[8], visits;

static void visit(const void *node, VISIT kind, int depth)
{
	(void)depth;
	if (kind == postorder || kind == leaf)
		visited[visits++] = **(const int *const *)node;
}

static void nothing(void *key)
{
	(void)key;
}

static void trees(void)
{
	static int keys[] = {4, 2, 6, 1, 3, 5, 7};
	void *root = NULL;
	for (int i = 0; i < 7; i++)
		assert(**(int **)tsearch(&keys[i], &root, compare) == keys[i]);
	int six = 6, eight = 8;
	assert(**(int **)tfind(&six, &root, compare) == 6 && !tfind(&eight, &root, compare));
	assert(*(int **)tsearch(&six, &root, compare) == &keys[2]);
	assert(tdelete(&keys[1], &root, compare) && !tdelete(&eight, &root, compare));
	assert(tdelete(&keys[0], &root, compare));
	twalk(root, visit);
	int wanted[] = {1, 3, 5, 6, 7};
	assert(visits == 5 && !memcmp(visited, wanted, sizeof wanted));
	tdestroy(root, nothing);
}

struct item {
	struct item *next, *before;
	int number;
};

static void lists(void)
{
	struct item a = {0}, b = {0}, c = {0};
	insque(&a, NULL);
	insque(&c, &a);
	insque(&b, &a);
	assert(a.next == &b && b.next == &c && c.before == &b && !c.next && !a.before);
	remque(&b);
	assert(a.next == &c && c.before == &a);
}

int main(void)
{
	arrays();
	names();
	trees();
	lists();
	return 0;
}
