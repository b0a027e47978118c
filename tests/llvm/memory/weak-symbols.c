/* expect: holds
 * what: the address of a weak symbol that nothing defines is null
 */
#include <assert.h>

extern int missing(void) __attribute__((weak));
extern int nothing[4] __attribute__((weak));
extern int present __attribute__((weak));
int present = 3;
int (*call)(void) = missing;
int *where = nothing;

int main(void)
{
	if (missing)
		missing();
	if (nothing)
		return nothing[1];
	assert(!missing && !call && !where && &present && present == 3);
	return 0;
}
