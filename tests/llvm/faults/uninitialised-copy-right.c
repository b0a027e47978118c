/* expect: holds
 * what: undefined values may be copied and calculated with, as long as nothing depends on them
 */
#include <string.h>

struct pair { int set, unset; };

int main(void)
{
	struct pair a, b;
	int *volatile address = &a.set;
	*address = 1;
	b = a;
	memcpy(&a, &b, sizeof a);
	int sum = a.unset + 1;
	(void)sum;
	return a.set - 1;
}
