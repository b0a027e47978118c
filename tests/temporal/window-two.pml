/* what: a window of two with numbers modulo two, which is not enough
 * order: violated             two messages arrive, their answers are lost, and the first one comes again
 * order weak: violated
 * window: holds
 */
#define MODULUS 2
#include "window.h"
