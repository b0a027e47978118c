/* What the machine does for the runtime. The functions have no body in C: the machine knows their names. */
#ifndef AUSPEX_HYPERCALLS_H
#define AUSPEX_HYPERCALLS_H

#include "auspex.h"

enum {
    AUSPEX_MUTEX = 1,
    AUSPEX_CONDITION,
    AUSPEX_RWLOCK,
    AUSPEX_SEMAPHORE,
    AUSPEX_BARRIER,
    AUSPEX_JOIN,
    AUSPEX_ONCE,
    AUSPEX_OTHER
};

/* In an atomic section: the thread cannot go on now. The section is undone and tried again when others have moved.
   `thread` is the machine's number of the thread that is waited for, or -1. */
_Noreturn void __auspex_block(int kind, const void *object, int thread);

/* The same, but the thread may also go on by itself at any time (a spurious wake-up): then it returns. */
void __auspex_block_weakly(int kind, const void *object);

/* A new thread, ready to run; gives its number. main is 0; the numbers of ended threads are used again. */
int __auspex_thread_create(void (*entry)(void *), void *argument);
int __auspex_thread_self(void);

/* These three end the atomic section that they are called in, too. */
_Noreturn void __auspex_thread_exit(void);
_Noreturn void __auspex_exit(int status);
_Noreturn void __auspex_fault(const char *kind, const char *message);

/* Zeroed heap memory that is never reported as a leak; freed with free(). */
void *__auspex_allocate(unsigned long size);

/* The byte of the input at this place, or -1 behind its end. */
int __auspex_stdin(unsigned long at);

/* Any number from 0 to RAND_MAX; or -1, where random numbers are to be always the same (--rand fixed). */
int __auspex_random(void);

/* For the trace: the calling thread does `what` ("locks", ...) with the object. */
void __auspex_note(int kind, const void *object, const char *what);

#endif
