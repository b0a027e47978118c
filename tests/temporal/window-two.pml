/* what: a window of two with numbers modulo two, which is not enough
 * order: violated             two messages arrive, their answers are lost, and the first one comes again
 * order weak: violated
 * window: holds
 * arrives: violated           here, too, the sender may go back again and again
 */
#define MODULUS 2
#include "window.h"
