/* expect: violated
 * fault: assertion
 * line: 16
 * what: a number that does not fit into a bit-field is cut
 */
#include <assert.h>

struct bits { unsigned low : 4, high : 4; };

int main(void)
{
	struct bits x = {0};
	volatile unsigned number = 20;
	x.low = number;
	assert(x.high == 0);
	assert(x.low == 20); /* here */
	return 0;
}
