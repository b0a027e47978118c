/* expect: holds
 * flags: -O 1
 * what: a computed goto in optimised code gives the phis of the block that it goes to their values
 */
#include <assert.h>

volatile unsigned which;

static unsigned run(unsigned k)
{
	static void *const to[] = { &&one, &&two, &&three };
	unsigned n = 0;
	goto *to[k % 3];
one:
	n += 1;
two:
	n += 10;
three:
	n += 100;
	return n;
}

int main(void)
{
	unsigned expected[] = { 111, 110, 100 };
	for (unsigned k = 0; k < 3; k++) {
		which = k;
		assert(run(which) == expected[k]);
	}
	return 0;
}
