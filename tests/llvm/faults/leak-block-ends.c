/* expect: violated
 * fault: leak
 * what: the block ends, and with it the only variable that points to the memory; the function goes on
 */
#include <stdlib.h>

static volatile int x;

int main(void)
{
	{
		char *p = malloc(3);
		*p = 1;
	}
	for (;;)
		x = !x;
}
