/* Mutexes of all kinds, and their attributes. */
#include "thread.h"

_Static_assert(sizeof(struct mutex) <= sizeof(pthread_mutex_t), "");
_Static_assert(offsetof(struct mutex, kind) == offsetof(pthread_mutex_t, __data.__kind), "static initialisers");

#define MUTEX(mutex) ((struct mutex *)(mutex))

static void check(const struct mutex *m) {
    if (m->kind & ~(TYPE | ROBUST))
        misuse(m->kind == DESTROYED ? "use of a destroyed mutex" : "use of something that is not a mutex");
}

static int type_of(const struct mutex *m) {
    return m->kind & TYPE;
}

/* The mutex is free: the caller has it now. */
static int own(struct mutex *m) {
    struct thread *me = __rt_self;
    if (m->robustness == ENOTRECOVERABLE)
        return ENOTRECOVERABLE;
    m->owner = me;
    hold(me, m);
    __auspex_note(AUSPEX_MUTEX, m, "locks");
    if (m->kind & ROBUST) {
        m->next = me->robust;
        me->robust = m;
    }
    return m->robustness;
}

/* The caller has it already. */
static int relock(struct mutex *m, int refusal) {
    if (type_of(m) == PTHREAD_MUTEX_RECURSIVE_NP) {
        m->count++;
        return 0;
    }
    if (type_of(m) == PTHREAD_MUTEX_ERRORCHECK_NP)
        return refusal == EBUSY ? EBUSY : EDEADLK;
    if (!refusal)
        __auspex_block(AUSPEX_MUTEX, m, __rt_self->number);
    return refusal;
}

int __rt_mutex_lock(struct mutex *m, int refusal) {
    check(m);
    if (!m->owner)
        return own(m);
    if (m->owner == __rt_self)
        return relock(m, refusal);
    if (!refusal)
        __auspex_block(AUSPEX_MUTEX, m, number_of(m->owner));
    return refusal;
}

static void disown_robust(struct mutex *m) {
    struct mutex **place = &__rt_self->robust;
    while (*place != m)
        place = &(*place)->next;
    *place = m->next;
    m->next = NULL;
    if (m->robustness) /* unlocked without pthread_mutex_consistent */
        m->robustness = ENOTRECOVERABLE;
}

/* Of a mutex that the caller does not hold: an error of POSIX for the kinds that know their owner. */
static int not_owner(const struct mutex *m) {
    if (type_of(m) == PTHREAD_MUTEX_RECURSIVE_NP || type_of(m) == PTHREAD_MUTEX_ERRORCHECK_NP || (m->kind & ROBUST))
        return EPERM;
    misuse(m->owner ? "unlock of a mutex that another thread holds" : "unlock of a mutex that is not locked");
}

int __rt_mutex_unlock(struct mutex *m) {
    check(m);
    struct thread *me = __rt_self;
    if (m->owner != me)
        return not_owner(m);
    if (m->count) {
        m->count--;
        return 0;
    }
    m->owner = NULL;
    drop(me, m);
    if (m->kind & ROBUST)
        disown_robust(m);
    __auspex_note(AUSPEX_MUTEX, m, "unlocks");
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    __auspex_atomic_begin();
    int error = __rt_mutex_lock(MUTEX(mutex), 0);
    __auspex_atomic_end();
    return error;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    __auspex_atomic_begin();
    int error = __rt_mutex_lock(MUTEX(mutex), EBUSY);
    __auspex_atomic_end();
    return error;
}

/* It may not time out when the mutex is free, and may always when it is not. To wait for a while first is the same as to be
   scheduled later, so this needs neither a choice nor blocking. */
int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
    __auspex_atomic_begin();
    int error = __rt_mutex_lock(MUTEX(mutex), ETIMEDOUT);
    if (error == ETIMEDOUT && bad_time(until))
        error = EINVAL;
    __auspex_atomic_end();
    return error;
}

int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict until) {
    (void)clock;
    return pthread_mutex_timedlock(mutex, until);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    __auspex_atomic_begin();
    int error = __rt_mutex_unlock(MUTEX(mutex));
    __auspex_atomic_end();
    return error;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr) {
    struct mutex *m = MUTEX(mutex);
    __auspex_atomic_begin();
    __rt_check_not_held(m, "initialisation of a locked mutex"); /* not by looking into it: it may be fresh memory */
    *m = (struct mutex){.kind = attr ? *(const int *)attr & (TYPE | ROBUST) : 0};
    __auspex_atomic_end();
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    struct mutex *m = MUTEX(mutex);
    __auspex_atomic_begin();
    check(m);
    if (m->owner)
        misuse("destruction of a locked mutex");
    m->kind = DESTROYED;
    __auspex_atomic_end();
    return 0;
}

int pthread_mutex_consistent(pthread_mutex_t *mutex) {
    struct mutex *m = MUTEX(mutex);
    __auspex_atomic_begin();
    check(m);
    int error = m->owner == __rt_self && m->robustness == EOWNERDEAD ? 0 : EINVAL;
    if (!error)
        m->robustness = 0;
    __auspex_atomic_end();
    return error;
}

int pthread_mutex_setprioceiling(pthread_mutex_t *restrict mutex, int ceiling, int *restrict old) {
    (void)mutex, (void)ceiling, (void)old;
    return EINVAL; /* no mutex here has PTHREAD_PRIO_PROTECT */
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *restrict mutex, int *restrict ceiling) {
    (void)mutex, (void)ceiling;
    return EINVAL;
}

/* ---- attributes: one int, with the bits of mutex.kind and these ---- */

enum { PSHARED = 8, PROTOCOL_SHIFT = 4, PROTOCOL = 3 << PROTOCOL_SHIFT };

static int get_bits(const pthread_mutexattr_t *attr, int mask) {
    return *(const int *)attr & mask;
}

static int set_bits(pthread_mutexattr_t *attr, int mask, int bits) {
    *(int *)attr = (*(int *)attr & ~mask) | bits;
    return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attr) {
    *(int *)attr = 0;
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attr) {
    (void)attr;
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int type) {
    return type & ~TYPE ? EINVAL : set_bits(attr, TYPE, type);
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attr, int *restrict type) {
    *type = get_bits(attr, TYPE);
    return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust) {
    return robust & ~1 ? EINVAL : set_bits(attr, ROBUST, robust ? ROBUST : 0);
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attr, int *robust) {
    *robust = get_bits(attr, ROBUST) != 0;
    return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int shared) {
    return shared & ~1 ? EINVAL : set_bits(attr, PSHARED, shared ? PSHARED : 0);
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *restrict attr, int *restrict shared) {
    *shared = get_bits(attr, PSHARED) != 0;
    return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol) {
    return protocol < 0 || protocol > PTHREAD_PRIO_PROTECT ? EINVAL : set_bits(attr, PROTOCOL, protocol << PROTOCOL_SHIFT);
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *restrict attr, int *restrict protocol) {
    *protocol = get_bits(attr, PROTOCOL) >> PROTOCOL_SHIFT;
    return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int ceiling) {
    (void)attr, (void)ceiling;
    return 0;
}

int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *restrict attr, int *restrict ceiling) {
    (void)attr;
    *ceiling = 0;
    return 0;
}
