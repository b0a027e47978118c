/* expect: violated
 * fault: overflow
 * line: 14
 * what: a counter is incremented once too often
 */
#include <limits.h>

static int counter = INT_MAX;

int main(void)
{
	counter--;
	counter++;
	counter++; /* here */
	return 0;
}
