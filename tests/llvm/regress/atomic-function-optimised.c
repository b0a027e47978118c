/* expect: holds
 * flags: -O 2
 * what: optimised: a function whose name begins with __VERIFIER_atomic_ is an atomic section
 */
#include "../choice/atomic-function-right.c"
