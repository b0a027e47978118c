/* expect: holds
 * flags: --faults malloc
 * what: the choices of a loop that goes on for ever do not multiply
 */
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
static int turn;

int main(void)
{
	for (;;) {
		char *p = malloc(4);
		free(p);
		if (__VERIFIER_nondet_bool())
			turn = !turn;
	}
}
