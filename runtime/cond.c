/* Condition variables.

   To wait is two atomic sections: release the mutex and join the waiters; then, when woken, take the mutex again. In between, a
   waiter may in reality have stopped waiting (time out, cancelled) but not have the mutex yet. That is not a state of its own here;
   a signal that comes then may be lost instead: see signal and broadcast. A spurious wake-up needs no such care, for a thread
   that woke spuriously and one that was signalled after that cannot be told apart. */
#include "thread.h"

_Static_assert(sizeof(struct cond) <= sizeof(pthread_cond_t), "");

#define COND(cond) ((struct cond *)(cond))
#define MUTEX(mutex) ((struct mutex *)(mutex))

static void check(const struct cond *c) {
    if (c->destroyed)
        misuse("use of a destroyed condition variable");
}

/* Could the waiter have stopped waiting by itself already? */
static int may_have_left(const struct thread *t) {
    return (t->waiting & TIMED) || cancel_pending(t);
}

static void dequeue(struct cond *c, struct thread *t) {
    __rt_dequeue(&c->waiters, t);
    if (!c->waiters)
        c->mutex = NULL;
}

static void enter(struct cond *c, struct mutex *m, int timed) {
    struct thread *me = __rt_self;
    if (c->waiters && c->mutex != m)
        misuse("waits for one condition variable with different mutexes");
    c->mutex = m;
    me->waiting = WAITING | timed;
    __rt_enqueue(&c->waiters, me);
    __auspex_note(AUSPEX_CONDITION, c, "waits for");
    __rt_mutex_unlock(m);
}

/* What ended the wait of a thread that still waits: ETIMEDOUT, ECANCELED, or 0 when it woke spuriously. */
static int wake_by_itself(struct cond *c, struct thread *me) {
    int why = 0;
    if (cancel_pending(me))
        why = ECANCELED;
    else if ((me->waiting & TIMED) && __auspex_choose(2))
        why = ETIMEDOUT;
    else
        __auspex_block_weakly(AUSPEX_CONDITION, c);
    dequeue(c, me);
    return why;
}

static int why_woken(struct cond *c, struct thread *me) {
    if (me->waiting & SIGNALLED)
        return 0;
    if (!(me->waiting & BROADCAST))
        return wake_by_itself(c, me);
    if (!may_have_left(me) || __auspex_choose(2))
        return 0;
    return cancel_pending(me) ? ECANCELED : ETIMEDOUT;
}

/* The mutex first: without it nothing goes on, whatever else happens. */
static int leave(struct cond *c, struct mutex *m) {
    struct thread *me = __rt_self;
    if (m->owner && m->owner != me)
        __auspex_block(AUSPEX_MUTEX, m, number_of(m->owner));
    int why = why_woken(c, me);
    me->waiting = 0;
    int error = __rt_mutex_lock(m, 0);
    if (why == ECANCELED)
        __rt_cancel();
    return error ? error : why;
}

/* POSIX asks for an error only from the kinds that check. */
static void not_held(const struct mutex *m) {
    if (!(m->kind & ROBUST) && (m->kind & TYPE) != PTHREAD_MUTEX_ERRORCHECK_NP)
        misuse("wait for a condition variable without holding the mutex");
}

int __rt_cond_wait(struct cond *c, struct mutex *m, const struct timespec *until) {
    if (until && bad_time(until))
        return EINVAL;
    __auspex_atomic_begin();
    check(c);
    if (m->owner != __rt_self) {
        not_held(m);
        __auspex_atomic_end();
        return EPERM;
    }
    if (cancel_pending(__rt_self))
        __rt_cancel();
    enter(c, m, until ? TIMED : 0);
    __auspex_atomic_end();

    __auspex_atomic_begin();
    int error = leave(c, m);
    __auspex_atomic_end();
    return error;
}

/* Any waiter may be the one. When all may have left by themselves, perhaps nobody is there to be woken: one more choice. */
static struct thread *choose_waiter(struct cond *c) {
    int number = 0, extra = 1;
    for (struct thread *t = c->waiters; t; t = t->waiter) {
        number++;
        extra &= may_have_left(t);
    }
    struct thread *t = c->waiters;
    if (number + extra > 1)
        for (int i = __auspex_choose(number + extra); t && i > 0; i--)
            t = t->waiter;
    return t;
}

void __rt_cond_signal(struct cond *c) {
    __auspex_atomic_begin();
    check(c);
    __auspex_note(AUSPEX_CONDITION, c, "signals");
    struct thread *t = choose_waiter(c);
    if (t) {
        dequeue(c, t);
        t->waiting |= SIGNALLED;
    }
    __auspex_atomic_end();
}

void __rt_cond_broadcast(struct cond *c) {
    __auspex_atomic_begin();
    check(c);
    __auspex_note(AUSPEX_CONDITION, c, "broadcasts");
    while (c->waiters) {
        c->waiters->waiting |= BROADCAST;
        dequeue(c, c->waiters);
    }
    __auspex_atomic_end();
}

int pthread_cond_wait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex) {
    return __rt_cond_wait(COND(cond), MUTEX(mutex), NULL);
}

int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until) {
    return __rt_cond_wait(COND(cond), MUTEX(mutex), until);
}

int pthread_cond_clockwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex, clockid_t clock,
                           const struct timespec *restrict until) {
    (void)clock;
    return __rt_cond_wait(COND(cond), MUTEX(mutex), until);
}

int pthread_cond_signal(pthread_cond_t *cond) {
    __rt_cond_signal(COND(cond));
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond) {
    __rt_cond_broadcast(COND(cond));
    return 0;
}

int pthread_cond_init(pthread_cond_t *restrict cond, const pthread_condattr_t *restrict attr) {
    (void)attr;
    __auspex_atomic_begin();
    *COND(cond) = (struct cond){0};
    __auspex_atomic_end();
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *cond) {
    struct cond *c = COND(cond);
    __auspex_atomic_begin();
    check(c);
    if (c->waiters)
        misuse("destruction of a condition variable that threads wait for");
    c->destroyed = 1;
    __auspex_atomic_end();
    return 0;
}

/* ---- attributes: the clock, and whether shared between processes; neither means anything here ---- */

int pthread_condattr_init(pthread_condattr_t *attr) {
    *(int *)attr = 0;
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attr) {
    (void)attr;
    return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    *(int *)attr = (*(int *)attr & 1) | clock << 1;
    return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *restrict attr, clockid_t *restrict clock) {
    *clock = *(const int *)attr >> 1;
    return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attr, int shared) {
    if (shared & ~1)
        return EINVAL;
    *(int *)attr = (*(int *)attr & ~1) | shared;
    return 0;
}

int pthread_condattr_getpshared(const pthread_condattr_t *restrict attr, int *restrict shared) {
    *shared = *(const int *)attr & 1;
    return 0;
}
