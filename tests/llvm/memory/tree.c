/* expect: holds
 * what: a binary tree on the heap
 */
#include <assert.h>
#include <stdlib.h>

struct tree { int key; struct tree *child[2]; };

static void insert(struct tree **t, int key)
{
	while (*t)
		t = &(*t)->child[key > (*t)->key];
	*t = calloc(1, sizeof **t);
	(*t)->key = key;
}

static int flatten(const struct tree *t, int sofar)
{
	if (!t)
		return sofar;
	return flatten(t->child[1], 10 * flatten(t->child[0], sofar) + t->key);
}

static void destroy(struct tree *t)
{
	if (!t)
		return;
	destroy(t->child[0]);
	destroy(t->child[1]);
	free(t);
}

int main(void)
{
	static const int keys[] = {4, 2, 6, 1, 3};
	struct tree *root = 0;
	for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
		insert(&root, keys[i]);
	assert(flatten(root, 0) == 12346);
	destroy(root);
	return 0;
}
