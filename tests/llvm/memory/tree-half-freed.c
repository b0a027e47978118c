/* expect: violated
 * fault: leak
 * what: a tree is freed without its right half
 */
#include <stdlib.h>

struct tree { struct tree *left, *right; };

static struct tree *make(int depth)
{
	struct tree *t = malloc(sizeof *t);
	t->left = depth ? make(depth - 1) : 0;
	t->right = depth ? make(depth - 1) : 0;
	return t;
}

static void destroy(struct tree *t)
{
	if (!t)
		return;
	destroy(t->left);
	free(t);
}

int main(void)
{
	destroy(make(1));
	return 0;
}
