/* what: a window of two with numbers modulo three, which is enough
 * order: holds
 * window: holds
 * arrives: violated           the sender may go back again and again
 * arrives strong: violated
 */
#define MODULUS 3
#include "window.h"
