/* Semaphores, also named ones. */
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>

#include "thread.h"

/* Overlays sem_t. Who waits is written nowhere: a waiter tries again when anything has happened, also after sem_destroy. */
struct semaphore {
    unsigned value;
};

#define SEMAPHORE(sem) ((struct semaphore *)(sem))
#define DESTROYED_SEMAPHORE (~0u)

static void check(const struct semaphore *s) {
    if (s->value == DESTROYED_SEMAPHORE)
        misuse("use of a destroyed semaphore");
}

static int fail(int error) {
    if (!error)
        return 0;
    errno = error;
    return -1;
}

static int take(struct semaphore *s, int refusal) {
    check(s);
    if (!s->value) {
        if (!refusal)
            __auspex_block(AUSPEX_SEMAPHORE, s, -1);
        return refusal;
    }
    s->value--;
    __auspex_note(AUSPEX_SEMAPHORE, s, "takes");
    return 0;
}

static int take_or_cancel(struct semaphore *s, int refusal) {
    __auspex_atomic_begin();
    if (cancel_pending(__rt_self))
        __rt_cancel();
    int error = take(s, refusal);
    __auspex_atomic_end();
    return fail(error);
}

int sem_wait(sem_t *sem) {
    return take_or_cancel(SEMAPHORE(sem), 0);
}

/* As for mutexes: refused when there is nothing to take, else granted. */
int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict until) {
    return take_or_cancel(SEMAPHORE(sem), bad_time(until) ? EINVAL : ETIMEDOUT);
}

int sem_clockwait(sem_t *restrict sem, clockid_t clock, const struct timespec *restrict until) {
    (void)clock;
    return sem_timedwait(sem, until);
}

int sem_trywait(sem_t *sem) {
    __auspex_atomic_begin();
    int error = take(SEMAPHORE(sem), EAGAIN);
    __auspex_atomic_end();
    return fail(error);
}

int sem_post(sem_t *sem) {
    struct semaphore *s = SEMAPHORE(sem);
    __auspex_atomic_begin();
    check(s);
    int full = s->value == SEM_VALUE_MAX;
    if (!full)
        s->value++;
    __auspex_note(AUSPEX_SEMAPHORE, s, "posts");
    __auspex_atomic_end();
    return fail(full ? EOVERFLOW : 0);
}

int sem_getvalue(sem_t *restrict sem, int *restrict value) {
    __auspex_atomic_begin();
    check(SEMAPHORE(sem));
    int now = SEMAPHORE(sem)->value;
    __auspex_atomic_end();
    *value = now;
    return 0;
}

int sem_init(sem_t *sem, int shared, unsigned value) {
    (void)shared;
    if (value > SEM_VALUE_MAX)
        return fail(EINVAL);
    __auspex_atomic_begin();
    SEMAPHORE(sem)->value = value;
    __auspex_atomic_end();
    return 0;
}

int sem_destroy(sem_t *sem) {
    __auspex_atomic_begin();
    check(SEMAPHORE(sem));
    SEMAPHORE(sem)->value = DESTROYED_SEMAPHORE;
    __auspex_atomic_end();
    return 0;
}

/* ---- named semaphores live from sem_open to the last sem_close after sem_unlink ---- */

struct named {
    sem_t sem; /* first: sem_close gets its address */
    struct named *next;
    int opened;
    char name[]; /* empty when unlinked */
};

static struct named *named;

static struct named **place_of(const char *name) {
    struct named **place = &named;
    while (*place && strcmp((*place)->name, name))
        place = &(*place)->next;
    return place;
}

static void discard_unused(struct named **place) {
    struct named *n = *place;
    if (n->opened || n->name[0])
        return;
    *place = n->next;
    free(n);
}

static struct named *new_named(const char *name, unsigned value) {
    struct named *n = __auspex_allocate(sizeof *n + strlen(name) + 1);
    strcpy(n->name, name);
    SEMAPHORE(&n->sem)->value = value;
    n->next = named;
    named = n;
    return n;
}

static int open_named(const char *name, int flags, unsigned value, struct named **found) {
    struct named *n = *place_of(name);
    if (!n && !(flags & O_CREAT))
        return ENOENT;
    if (n && (flags & O_CREAT) && (flags & O_EXCL))
        return EEXIST;
    *found = n ? n : new_named(name, value);
    (*found)->opened++;
    return 0;
}

sem_t *sem_open(const char *name, int flags, ...) {
    unsigned value = 0;
    if (flags & O_CREAT) {
        va_list rest;
        va_start(rest, flags);
        (void)va_arg(rest, unsigned); /* the mode */
        value = va_arg(rest, unsigned);
        va_end(rest);
    }
    struct named *n = NULL;
    __auspex_atomic_begin();
    int error = value > SEM_VALUE_MAX || !name[0] ? EINVAL : open_named(name, flags, value, &n);
    __auspex_atomic_end();
    return fail(error) ? SEM_FAILED : &n->sem;
}

int sem_close(sem_t *sem) {
    __auspex_atomic_begin();
    struct named **place = &named;
    while (*place && &(*place)->sem != sem)
        place = &(*place)->next;
    if (!*place)
        misuse("sem_close of a semaphore that is not open");
    (*place)->opened--;
    discard_unused(place);
    __auspex_atomic_end();
    return 0;
}

int sem_unlink(const char *name) {
    __auspex_atomic_begin();
    struct named **place = place_of(name);
    int found = *place && name[0];
    if (found) {
        (*place)->name[0] = 0;
        discard_unused(place);
    }
    __auspex_atomic_end();
    return fail(found ? 0 : ENOENT);
}
