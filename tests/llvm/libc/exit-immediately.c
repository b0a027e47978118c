/* expect: holds
 * what: _Exit runs no handlers, and nothing after exit is done
 */
#include <assert.h>
#include <stdlib.h>

static void handler(void)
{
	assert(0);
}

int main(void)
{
	atexit(handler);
	_Exit(0);
	assert(0);
}
