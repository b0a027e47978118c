/* expect: holds
 * flags: -O 2
 * what: optimised: pointers survive when they are copied byte by byte
 */
#include "../memory/pointer-bytes.c"
