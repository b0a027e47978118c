/* expect: holds
 * states: 21
 * what: a file included from the same directory
 */
#include "include.h"

active [WORKERS] proctype P() {
	byte n;
	step(n);
	shared = n
}
