/* expect: holds
 * flags: --allow undefined
 * what: a function without a body that is declared and in the program but not called
 */
#include "auspex.h"

int somewhere_else(int x);

int main(void)
{
	if (__auspex_choose(2) > 1)
		return somewhere_else(1);
	return 0;
}
