/* Barriers and spinlocks. */
#include "thread.h"

/* Overlays pthread_barrier_t. No generations are counted: the last thread to arrive releases the waiters one by one. */
struct barrier {
    unsigned count; /* 0 when destroyed */
    unsigned arrived;
    struct thread *waiters;
};
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "");

#define BARRIER(barrier) ((struct barrier *)(barrier))

static void check(const struct barrier *b) {
    if (!b->count)
        misuse("use of a destroyed barrier");
}

static void release_all(struct barrier *b) {
    b->arrived = 0;
    while (b->waiters) {
        b->waiters->waiting |= BROADCAST;
        __rt_dequeue(&b->waiters, b->waiters);
    }
}

/* Whether the caller is the last one. */
static int arrive(struct barrier *b) {
    __auspex_atomic_begin();
    check(b);
    __auspex_note(AUSPEX_BARRIER, b, "arrives at");
    int last = b->arrived + 1 == b->count;
    if (last) {
        release_all(b);
    } else {
        b->arrived++;
        __rt_self->waiting = WAITING;
        __rt_enqueue(&b->waiters, __rt_self);
    }
    __auspex_atomic_end();
    return last;
}

/* The serial thread may be any; the last to arrive is, and any may be that. */
int pthread_barrier_wait(pthread_barrier_t *barrier) {
    if (arrive(BARRIER(barrier)))
        return PTHREAD_BARRIER_SERIAL_THREAD;
    __auspex_atomic_begin();
    if (!(__rt_self->waiting & BROADCAST))
        __auspex_block(AUSPEX_BARRIER, barrier, -1);
    __rt_self->waiting = 0; /* the barrier itself may be gone by now */
    __auspex_atomic_end();
    return 0;
}

int pthread_barrier_init(pthread_barrier_t *restrict barrier, const pthread_barrierattr_t *restrict attr, unsigned count) {
    (void)attr;
    if (!count)
        return EINVAL;
    __auspex_atomic_begin();
    *BARRIER(barrier) = (struct barrier){.count = count};
    __auspex_atomic_end();
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    struct barrier *b = BARRIER(barrier);
    __auspex_atomic_begin();
    check(b);
    if (b->waiters)
        misuse("destruction of a barrier that threads wait at");
    b->count = 0;
    __auspex_atomic_end();
    return 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t *attr) {
    *(int *)attr = 0;
    return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attr) {
    (void)attr;
    return 0;
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int shared) {
    *(int *)attr = shared;
    return 0;
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *restrict attr, int *restrict shared) {
    *shared = *(const int *)attr;
    return 0;
}

/* ---- spinlocks: 0 is free, n+1 is held by thread n ---- */

#define SPIN_DESTROYED (-1)

static int lock_spin(volatile int *lock, int refusal) {
    int owner = *lock - 1, me = __rt_self->number;
    if (owner == SPIN_DESTROYED - 1)
        misuse("use of a destroyed spinlock");
    if (owner >= 0) {
        if (refusal)
            return refusal;
        if (owner == me && !__rt_orphans)
            misuse("a spinlock is locked again by its owner");
        __auspex_block(AUSPEX_OTHER, (const void *)lock, __rt_orphans ? -1 : owner);
    }
    *lock = me + 1;
    hold(__rt_self, lock);
    __auspex_note(AUSPEX_OTHER, (const void *)lock, "locks");
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
    __auspex_atomic_begin();
    int error = lock_spin(lock, 0);
    __auspex_atomic_end();
    return error;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
    __auspex_atomic_begin();
    int error = lock_spin(lock, EBUSY);
    __auspex_atomic_end();
    return error;
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
    __auspex_atomic_begin();
    if (*lock != __rt_self->number + 1)
        misuse(*lock ? "unlock of a spinlock that the thread does not hold" : "unlock of a spinlock that is not locked");
    *lock = 0;
    drop(__rt_self, lock);
    __auspex_note(AUSPEX_OTHER, (const void *)lock, "unlocks");
    __auspex_atomic_end();
    return 0;
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    (void)shared;
    __auspex_atomic_begin();
    __rt_check_not_held(lock, "initialisation of a locked spinlock");
    *lock = 0;
    __auspex_atomic_end();
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
    __auspex_atomic_begin();
    if (*lock)
        misuse(*lock > 0 ? "destruction of a locked spinlock" : "use of a destroyed spinlock");
    *lock = SPIN_DESTROYED;
    __auspex_atomic_end();
    return 0;
}
