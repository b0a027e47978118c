/* expect: holds
 * flags: --allow leak
 * what: a leak that the user does not want to hear of
 */
#include <stdlib.h>

int main(void)
{
	int *p = malloc(sizeof *p);
	*p = 0;
	return *p;
}
