/* expect: violated
 * fault: leak
 * what: the nodes of a tree that nobody deletes
 */
#define _GNU_SOURCE
#include <search.h>
#include <stddef.h>

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(void)
{
	static int key = 1;
	void *root = NULL;
	tsearch(&key, &root, compare);
	root = NULL;
	return 0;
}
