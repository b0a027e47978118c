/* expect: violated
 * fault: leak
 * what: the only pointer was in a function that returned
 */
#include <stdlib.h>

static int work(void)
{
	int *p = malloc(sizeof *p);
	*p = 4;
	return *p;
}

int main(void)
{
	return work() - 4;
}
