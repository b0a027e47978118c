/* Read-write locks. Readers and writers may come in any order: the schedule decides, no kind of lock prefers one. */
#include "thread.h"

/* As many threads as fit before `__flags` of a static initialiser are known by number. */
#define HOLDERS (offsetof(pthread_rwlock_t, __data.__flags) - sizeof(void *) - sizeof(unsigned))
#define DESTROYED_LOCK (~0u)

/* Overlays pthread_rwlock_t; all zero is free. */
struct rwlock {
    struct thread *writer;
    unsigned readers;              /* how many read locks are held */
    unsigned char holders[HOLDERS]; /* how many of them by the thread with this number */
};
_Static_assert(sizeof(struct rwlock) <= offsetof(pthread_rwlock_t, __data.__flags), "static initialisers");

#define RWLOCK(lock) ((struct rwlock *)(lock))

static void check(const struct rwlock *l) {
    if (l->readers == DESTROYED_LOCK)
        misuse("use of a destroyed read-write lock");
}

static int known(const struct thread *t) {
    return (size_t)t->number < HOLDERS;
}

/* A writer waits for every reader, so any of them will do for a circle; the caller itself would be the shortest. */
static int some_reader(const struct rwlock *l) {
    if (__rt_orphans)
        return -1;
    if (known(__rt_self) && l->holders[__rt_self->number])
        return __rt_self->number;
    for (size_t i = 0; i < HOLDERS; i++)
        if (l->holders[i])
            return i;
    return -1;
}

static int lock_read(struct rwlock *l, int refusal) {
    check(l);
    if (l->writer) {
        if (!refusal)
            __auspex_block(AUSPEX_RWLOCK, l, number_of(l->writer));
        return refusal;
    }
    l->readers++;
    if (known(__rt_self))
        l->holders[__rt_self->number]++;
    hold(__rt_self, l);
    __auspex_note(AUSPEX_RWLOCK, l, "locks for reading");
    return 0;
}

static int lock_write(struct rwlock *l, int refusal) {
    check(l);
    if (l->writer || l->readers) {
        if (!refusal)
            __auspex_block(AUSPEX_RWLOCK, l, l->writer ? number_of(l->writer) : some_reader(l));
        return refusal;
    }
    l->writer = __rt_self;
    hold(__rt_self, l);
    __auspex_note(AUSPEX_RWLOCK, l, "locks for writing");
    return 0;
}

static void unlock_read(struct rwlock *l) {
    struct thread *me = __rt_self;
    if (!l->readers)
        misuse("unlock of a read-write lock that is not locked");
    if (known(me)) {
        if (!l->holders[me->number])
            misuse("unlock of a read-write lock that other threads hold");
        l->holders[me->number]--;
    }
    l->readers--;
}

static void unlock_write(struct rwlock *l) {
    if (l->writer != __rt_self)
        misuse("unlock of a read-write lock that another thread holds");
    l->writer = NULL;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    struct rwlock *l = RWLOCK(lock);
    __auspex_atomic_begin();
    check(l);
    if (l->writer)
        unlock_write(l);
    else
        unlock_read(l);
    drop(__rt_self, l);
    __auspex_note(AUSPEX_RWLOCK, l, "unlocks");
    __auspex_atomic_end();
    return 0;
}

static int read_section(struct rwlock *l, int refusal) {
    __auspex_atomic_begin();
    int error = lock_read(l, refusal);
    __auspex_atomic_end();
    return error;
}

static int write_section(struct rwlock *l, int refusal) {
    __auspex_atomic_begin();
    int error = lock_write(l, refusal);
    __auspex_atomic_end();
    return error;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    return read_section(RWLOCK(lock), 0);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    return read_section(RWLOCK(lock), EBUSY);
}

/* As for mutexes: refused when it is not free, else granted. */
int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict until) {
    return read_section(RWLOCK(lock), bad_time(until) ? EINVAL : ETIMEDOUT);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict until) {
    (void)clock;
    return pthread_rwlock_timedrdlock(lock, until);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    return write_section(RWLOCK(lock), 0);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    return write_section(RWLOCK(lock), EBUSY);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict until) {
    return write_section(RWLOCK(lock), bad_time(until) ? EINVAL : ETIMEDOUT);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict until) {
    (void)clock;
    return pthread_rwlock_timedwrlock(lock, until);
}

int pthread_rwlock_init(pthread_rwlock_t *restrict lock, const pthread_rwlockattr_t *restrict attr) {
    (void)attr;
    __auspex_atomic_begin();
    __rt_check_not_held(lock, "initialisation of a locked read-write lock");
    *RWLOCK(lock) = (struct rwlock){0};
    __auspex_atomic_end();
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
    struct rwlock *l = RWLOCK(lock);
    __auspex_atomic_begin();
    check(l);
    if (l->writer || l->readers)
        misuse("destruction of a locked read-write lock");
    l->readers = DESTROYED_LOCK;
    __auspex_atomic_end();
    return 0;
}

/* ---- attributes: kept, but without effect ---- */

int pthread_rwlockattr_init(pthread_rwlockattr_t *attr) {
    ((int *)attr)[0] = ((int *)attr)[1] = 0;
    return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr) {
    (void)attr;
    return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attr, int shared) {
    ((int *)attr)[0] = shared;
    return 0;
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *restrict attr, int *restrict shared) {
    *shared = ((const int *)attr)[0];
    return 0;
}

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attr, int kind) {
    ((int *)attr)[1] = kind;
    return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *restrict attr, int *restrict kind) {
    *kind = ((const int *)attr)[1];
    return 0;
}
