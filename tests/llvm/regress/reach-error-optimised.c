/* expect: violated
 * fault: error
 * flags: -O 2
 * what: optimised: reach_error counts even when the program has a body for it
 */
#include "../choice/reach-error-defined.c"
