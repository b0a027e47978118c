/* Inside the runtime: for the parts of libc. */
#ifndef AUSPEX_RUNTIME_H
#define AUSPEX_RUNTIME_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stddef.h>

#include "hypercalls.h"

/* A definition under a name that the headers or the compiler have redirected or taken: int rt_x(int) SYMBOL(x);
   On ELF the label is the name in the IR, without a prefix. */
#define SYMBOL(name) __asm__(#name)

/* Of number.c: reads a number from the text. */
long long __rt_read_signed(const char *text, char **end, int base, long long min, long long max);
unsigned long long __rt_read_unsigned(const char *text, char **end, int base, unsigned long long max);
/* With the letters of C23 ("0b101") as well. */
#define C23 256

/* Of stdio.c: the next byte of the standard input, or -1; and back with it. In atomic sections. */
int __rt_get(void);
void __rt_unget(int c);

#endif
