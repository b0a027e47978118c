/* expect: holds
 * what: what only the parameter of a function pointed to in between is still the caller's when it returns
 */
#include <pthread.h>
#include <stdlib.h>

static volatile int x;

static void fill(char *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] = 1;
}

int main(void)
{
	char *p = malloc(3);
	fill(p, 3);
	for (;;)
		x = !x;
}
