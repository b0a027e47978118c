/* Inside the runtime: thread objects, and what mutexes, condition variables... share.
   Names with external linkage begin with __rt_ (the machine takes every __auspex_ name for its own). */
#ifndef AUSPEX_THREAD_H
#define AUSPEX_THREAD_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define SHARED /* else <pthread.h> makes __pthread_unwind_next weak */

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "hypercalls.h"

/* How many locks a thread is known to hold. More may be held; they are just not remembered. */
#define LOCKS 8

/* Bits of thread.waiting: nothing, or WAITING, perhaps with the others. */
enum {
    WAITING = 1,
    TIMED = 2,     /* it may stop waiting by itself */
    SIGNALLED = 4, /* woken alone: it has consumed a signal */
    BROADCAST = 8  /* woken with all others */
};

struct value { /* of one key in one thread; only values other than NULL are kept */
    struct value *next;
    unsigned key;
    void *value;
};

struct at_exit { /* the destructor of a C++ thread_local */
    struct at_exit *next;
    void (*function)(void *);
    void *argument;
};

/* What a pthread_t points to. Everything in it is shared: look at it in atomic sections only. */
struct thread {
    struct thread *next;    /* all threads that can still be joined or run, by number */
    struct thread *waiter;  /* the next waiter for the same condition variable or barrier */
    int number;             /* the machine's; means nothing once it has finished */
    unsigned char finished;
    unsigned char detached;
    unsigned char waiting;
    unsigned char cancelled;       /* asked to end */
    unsigned char cancel_disabled; /* enum of <pthread.h>: 0 is enabled */
    unsigned char cancel_type;
    unsigned char forgetful;       /* has held locks that are not in `locks` */
    int held;
    const volatile void *locks[LOCKS]; /* compared, never followed: the memory of a lock may be gone */
    void (*start)(void);
    void *result;
    struct value *values;
    struct mutex *robust;   /* the robust mutexes that it holds */
};

/* Overlays pthread_mutex_t and mtx_t. All zero is a free normal mutex; `kind` is where static initialisers put it. */
struct mutex {
    struct thread *owner;
    unsigned count;     /* of a recursive mutex: how often it was locked again */
    int robustness;
    int kind;
    struct mutex *next; /* in thread.robust */
};

/* mutex.kind: the type of <pthread.h> in the low bits; anything else in it is not a mutex. */
enum { TYPE = 3, ROBUST = 4, DESTROYED = -1 };

/* Overlays pthread_cond_t and cnd_t. */
struct cond {
    struct thread *waiters;
    struct mutex *mutex; /* that they wait with; NULL when there are no waiters */
    int destroyed;
};

extern struct thread __rt_main;                /* the first thread, and the head of the list of all threads */
extern _Thread_local struct thread *__rt_self;

/* Set when a thread ended with locks: from then on a thread number in a lock may be that of a dead thread. */
extern int __rt_orphans;

static inline _Noreturn void misuse(const char *message) {
    __auspex_fault("misuse", message);
}

/* The number to wait for: nobody when the thread has ended, for its number may be another's by now. */
static inline int number_of(const struct thread *t) {
    return t->finished ? -1 : t->number;
}

static inline int cancel_pending(const struct thread *t) {
    return t->cancelled && !t->cancel_disabled;
}

/* Ends the atomic section and, by cancellation, the thread. */
_Noreturn void __rt_cancel(void);

/* Remember which locks the calling thread holds. Mostly the one taken last is given back first. */
static inline void hold(struct thread *me, const volatile void *lock) {
    if (me->held < LOCKS)
        me->locks[me->held++] = lock;
    else
        me->forgetful = 1;
}

void __rt_drop(struct thread *me, const volatile void *lock);

static inline void drop(struct thread *me, const volatile void *lock) {
    if (me->held && me->locks[me->held - 1] == lock)
        me->locks[--me->held] = NULL;
    else
        __rt_drop(me, lock);
}

void __rt_check_not_held(const volatile void *lock, const char *message);

/* Lists of waiters, ordered by number: the order of arrival would only make more states, since any may be woken. */
void __rt_enqueue(struct thread **list, struct thread *t);
void __rt_dequeue(struct thread **list, struct thread *t);

int __rt_thread_create(unsigned long *thread, int detached, int c11, void (*start)(void), void *argument);
int __rt_join(pthread_t thread, void **result, int refusal);

/* Of mutex.c, in atomic sections. `refusal`: the error when it cannot be had now, 0 to wait. */
int __rt_mutex_lock(struct mutex *m, int refusal);
int __rt_mutex_unlock(struct mutex *m);

/* Of cond.c: whole functions. */
int __rt_cond_wait(struct cond *c, struct mutex *m, const struct timespec *until);
void __rt_cond_signal(struct cond *c);
void __rt_cond_broadcast(struct cond *c);

static inline int bad_time(const struct timespec *t) {
    return t->tv_nsec < 0 || t->tv_nsec >= 1000000000;
}

#endif
