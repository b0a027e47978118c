/* expect: violated
 * fault: dangling
 * line: 18
 * what: memory from alloca dies with its function
 */
#include <alloca.h>

static int *make(int value)
{
	int *p = alloca(sizeof *p);
	*p = value;
	return p;
}

int main(void)
{
	int *p = make(4);
	return *p == 4; /* here */
}
