/* expect: holds
 * what: abs, labs, div
 */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
	assert(abs(-5) == 5 && abs(5) == 5 && labs(-5000000000L) == 5000000000L);
	div_t d = div(-7, 2);
	assert(d.quot == -3 && d.rem == -1);
	ldiv_t l = ldiv(7, -2);
	assert(l.quot == -3 && l.rem == 1);
	return 0;
}
