/* expect: holds
 * flags: -O 2
 * what: vectors of 128-bit numbers, as the optimiser makes them
 */
#include <assert.h>

typedef __int128 wide;
typedef wide pair __attribute__((vector_size(32)));
volatile wide first = 5, second = (wide)7 << 70;
volatile int which = 1;

int main(void)
{
	pair p = { first, second };
	assert(p[0] == 5 && p[1] == (wide)7 << 70);
	assert(p[which] == second);
	p[0] = second;
	assert(p[0] == p[1]);
	pair q = __builtin_shufflevector(p, (pair){ 1, 2 }, 3, 0);
	assert(q[0] == 2 && q[1] == second);
	volatile int narrow[2];
	narrow[0] = (int)first;
	narrow[1] = (int)(second >> 70);
	assert(narrow[0] == 5 && narrow[1] == 7);
	return 0;
}
