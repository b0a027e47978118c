/* expect: violated
 * fault: leak
 * line: 26
 * what: what was exchanged is in a variable that nobody reads, and lost when its function returns
 */
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) held;

static void replace(char *by)
{
	char *seen = atomic_load(&held);

	while (!atomic_compare_exchange_strong(&held, &seen, by))
		;
}

int main(void)
{
	atomic_store(&held, malloc(1));
	if (!atomic_load(&held))
		return 0;
	replace(0);
	return 0;
} /* here */
