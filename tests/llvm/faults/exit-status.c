/* expect: violated
 * fault: exit
 * flags: --check exit
 * what: the program ends with a status that is not zero
 */
#include "auspex.h"

int main(void)
{
	return __auspex_choose(3) == 1 ? 3 : 0;
}
