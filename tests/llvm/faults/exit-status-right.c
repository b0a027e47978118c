/* expect: holds
 * flags: --check exit
 * what: the program ends with status zero
 */
#include "auspex.h"

int main(void)
{
	return __auspex_choose(3) == 3 ? 3 : 0;
}
