#ifndef INCLUDED
#define INCLUDED
#define WORKERS 2

byte shared;

inline step(v) {
	v++;
	assert(v == 1)
}
#include "include.h"
#endif
