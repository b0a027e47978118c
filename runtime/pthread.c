/* Threads: creation and end, joining, cancellation, keys, once. */
#include <limits.h>
#include <setjmp.h>
#include <string.h>

#include "thread.h"

struct thread __rt_main;
_Thread_local struct thread *__rt_self = &__rt_main; /* every other thread sets it first of all */
int __rt_orphans;

/* Only the thread itself looks at these: no atomic section needed. */
static _Thread_local __pthread_unwind_buf_t *cleanup;
static _Thread_local struct at_exit *at_exit;
static _Thread_local void *result;

/* ---- the list of threads ---- */

static void insert(struct thread *t) {
    struct thread *before = &__rt_main;
    while (before->next && before->next->number < t->number)
        before = before->next;
    t->next = before->next;
    before->next = t;
}

static void discard(struct thread *t) {
    struct thread *before = &__rt_main;
    while (before->next != t)
        before = before->next;
    before->next = t->next;
    /* A mutex may still name it as its owner. */
    if (!t->held && !t->forgetful)
        free(t);
}

/* A pthread_t is not followed before it is known: after a join it points to freed memory. */
static struct thread *find(pthread_t thread) {
    struct thread *t = &__rt_main;
    while (t && (pthread_t)t != thread)
        t = t->next;
    if (!t)
        misuse("no such thread: it was joined already, or it was detached and has ended");
    return t;
}

static int all_finished(void) {
    struct thread *t = &__rt_main;
    while (t && t->finished)
        t = t->next;
    return !t;
}

/* ---- locks held ---- */

void __rt_drop(struct thread *me, const volatile void *lock) {
    int i = me->held - 1;
    while (i >= 0 && me->locks[i] != lock)
        i--;
    if (i < 0)
        return;
    for (me->held--; i < me->held; i++)
        me->locks[i] = me->locks[i + 1];
    me->locks[i] = NULL;
}

void __rt_check_not_held(const volatile void *lock, const char *message) {
    for (struct thread *t = &__rt_main; t; t = t->next)
        for (int i = 0; i < t->held; i++)
            if (t->locks[i] == lock)
                misuse(message);
}

/* ---- waiters ---- */

void __rt_enqueue(struct thread **list, struct thread *t) {
    while (*list && (*list)->number < t->number)
        list = &(*list)->waiter;
    t->waiter = *list;
    *list = t;
}

void __rt_dequeue(struct thread **list, struct thread *t) {
    while (*list != t)
        list = &(*list)->waiter;
    *list = t->waiter;
    t->waiter = NULL;
}

/* ---- the end of a thread ---- */

static void run_destructors(void);
static void forget_values(struct thread *t);

static void orphan_locks(struct thread *me) {
    while (me->robust) {
        struct mutex *m = me->robust;
        me->robust = m->next;
        m->next = NULL;
        m->owner = NULL;
        m->count = 0;
        m->robustness = EOWNERDEAD;
        drop(me, m);
    }
    __rt_orphans |= me->held || me->forgetful;
}

static _Noreturn void finish(void) {
    run_destructors();
    __auspex_atomic_begin();
    struct thread *me = __rt_self;
    forget_values(me);
    orphan_locks(me);
    me->finished = 1;
    me->result = result;
    if (__rt_main.finished && all_finished()) {
        __auspex_atomic_end();
        exit(0);
    }
    if (me->detached && me != &__rt_main)
        discard(me);
    __auspex_thread_exit();
}

/* Runs the cleanup handlers, the latest first: each jumps to its pthread_cleanup_push, which calls __pthread_unwind_next. */
static _Noreturn void unwind(void) {
    __pthread_unwind_buf_t *top = cleanup;
    if (!top)
        finish();
    cleanup = top->__pad[0];
    longjmp((struct __jmp_buf_tag *)(void *)top->__cancel_jmp_buf, 1);
}

void pthread_exit(void *value) {
    result = value;
    __auspex_atomic_begin();
    __rt_self->cancel_disabled = PTHREAD_CANCEL_DISABLE;
    __auspex_atomic_end();
    unwind();
}

void __pthread_unwind_next(__pthread_unwind_buf_t *buf) {
    (void)buf;
    unwind();
}

void __pthread_register_cancel(__pthread_unwind_buf_t *buf) {
    buf->__pad[0] = cleanup;
    cleanup = buf;
}

void __pthread_unregister_cancel(__pthread_unwind_buf_t *buf) {
    cleanup = buf->__pad[0];
}

void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buf) {
    int old;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
    buf->__pad[1] = (void *)(long)old;
    __pthread_register_cancel(buf);
}

void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buf) {
    __pthread_unregister_cancel(buf);
    pthread_setcanceltype((int)(long)buf->__pad[1], NULL);
}

/* With exceptions (-fexceptions) the macros use this one; the handlers then run only at pthread_cleanup_pop. */
void __pthread_cleanup_routine(struct __pthread_cleanup_frame *frame) {
    if (frame->__do_it)
        frame->__cancel_routine(frame->__cancel_arg);
}

/* ---- creation ---- */

/* What a new thread needs to know. Nobody else has it: to begin is nothing that others notice. */
struct birth {
    void (*start)(void);
    struct thread *me;
    void *argument;
    int c11;
};

static void entry(void *argument) {
    struct birth birth = *(struct birth *)argument;
    free(argument);
    __rt_self = birth.me;
    if (birth.c11)
        result = (void *)(long)((int (*)(void *))birth.start)(birth.argument);
    else
        result = ((void *(*)(void *))birth.start)(birth.argument);
    finish();
}

int __rt_thread_create(unsigned long *thread, int detached, int c11, void (*start)(void), void *argument) {
    __auspex_atomic_begin();
    struct thread *t = __auspex_allocate(sizeof *t);
    t->detached = detached;
    t->start = start; /* names the thread in traces */
    struct birth *birth = __auspex_allocate(sizeof *birth);
    *birth = (struct birth){start, t, argument, c11};
    t->number = __auspex_thread_create(entry, birth);
    insert(t);
    *thread = (unsigned long)t;
    __auspex_note(AUSPEX_OTHER, t, "creates");
    __auspex_atomic_end();
    return 0;
}

/* Overlays pthread_attr_t. Only `detached` has an effect. */
struct attributes {
    int detached, scope, inherit, policy, priority;
    size_t guard, size;
    void *stack;
};
_Static_assert(sizeof(struct attributes) <= sizeof(pthread_attr_t), "");

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attr, void *(*start)(void *),
                   void *restrict argument) {
    int detached = attr && ((const struct attributes *)attr)->detached;
    return __rt_thread_create(thread, detached, 0, (void (*)(void))start, argument);
}

/* ---- joining ---- */

static void check_joinable(const struct thread *t) {
    if (t->detached)
        misuse("join of a detached thread");
    if (t == __rt_self)
        misuse("a thread joins itself");
}

static int finished_or_block(const struct thread *t, int refusal) {
    if (!t->finished && !refusal)
        __auspex_block(AUSPEX_JOIN, t, t->number);
    return t->finished;
}

int __rt_join(pthread_t thread, void **value, int refusal) {
    __auspex_atomic_begin();
    if (cancel_pending(__rt_self) && refusal != EBUSY)
        __rt_cancel();
    struct thread *t = find(thread);
    check_joinable(t);
    int done = finished_or_block(t, refusal);
    if (done) {
        __auspex_note(AUSPEX_JOIN, t, "joins");
        if (value)
            *value = t->result;
        if (t == &__rt_main)
            t->detached = 1; /* it cannot be freed; the next join is an error */
        else
            discard(t);
    }
    __auspex_atomic_end();
    return done ? 0 : refusal;
}

int pthread_join(pthread_t thread, void **value) {
    return __rt_join(thread, value, 0);
}

int pthread_tryjoin_np(pthread_t thread, void **value) {
    return __rt_join(thread, value, EBUSY);
}

int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *until) {
    return until && bad_time(until) ? EINVAL : __rt_join(thread, value, until ? ETIMEDOUT : 0);
}

int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock, const struct timespec *until) {
    (void)clock;
    return pthread_timedjoin_np(thread, value, until);
}

int pthread_detach(pthread_t thread) {
    __auspex_atomic_begin();
    struct thread *t = find(thread);
    if (t->detached)
        misuse("detach of a detached thread");
    t->detached = 1;
    if (t->finished && t != &__rt_main)
        discard(t);
    __auspex_atomic_end();
    return 0;
}

pthread_t pthread_self(void) {
    return (pthread_t)__rt_self;
}

int pthread_equal(pthread_t a, pthread_t b) {
    return a == b;
}

/* ---- cancellation: asynchronous cancellation, too, comes at cancellation points only ---- */

_Noreturn void __rt_cancel(void) {
    __auspex_note(AUSPEX_OTHER, __rt_self, "is cancelled");
    __rt_self->cancel_disabled = PTHREAD_CANCEL_DISABLE;
    __auspex_atomic_end();
    result = PTHREAD_CANCELED;
    unwind();
}

/* For a thread that has its type set to asynchronous when a request comes in, or the other way round. */
static void cancel_at_once(struct thread *me) {
    if (cancel_pending(me) && me->cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS)
        __rt_cancel();
}

int pthread_cancel(pthread_t thread) {
    __auspex_atomic_begin();
    struct thread *t = find(thread);
    t->cancelled = 1;
    __auspex_note(AUSPEX_OTHER, t, "cancels");
    cancel_at_once(__rt_self);
    __auspex_atomic_end();
    return 0;
}

void pthread_testcancel(void) {
    __auspex_atomic_begin();
    if (cancel_pending(__rt_self))
        __rt_cancel();
    __auspex_atomic_end();
}

int pthread_setcancelstate(int state, int *old) {
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    __auspex_atomic_begin();
    struct thread *me = __rt_self;
    if (old)
        *old = me->cancel_disabled;
    me->cancel_disabled = state;
    cancel_at_once(me);
    __auspex_atomic_end();
    return 0;
}

int pthread_setcanceltype(int type, int *old) {
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    __auspex_atomic_begin();
    struct thread *me = __rt_self;
    if (old)
        *old = me->cancel_type;
    me->cancel_type = type;
    cancel_at_once(me);
    __auspex_atomic_end();
    return 0;
}

/* ---- keys ---- */

struct key {
    struct key *next;
    unsigned number;
    void (*destructor)(void *);
};

static struct key *keys; /* by number */

/* The place in the list where the key is, or would be. */
static struct key **key_place(unsigned number) {
    struct key **place = &keys;
    while (*place && (*place)->number < number)
        place = &(*place)->next;
    return place;
}

static struct key *find_key(unsigned number) {
    struct key *key = *key_place(number);
    if (!key || key->number != number)
        misuse("no such key: it was never created or is deleted");
    return key;
}

static struct value **value_place(struct thread *t, unsigned key) {
    struct value **place = &t->values;
    while (*place && (*place)->key < key)
        place = &(*place)->next;
    return place;
}

static void remove_value(struct value **place) {
    struct value *v = *place;
    *place = v->next;
    free(v);
}

static void forget_values(struct thread *t) {
    while (t->values)
        remove_value(&t->values);
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    __auspex_atomic_begin();
    struct key **place = &keys;
    unsigned number = 0; /* the smallest that is free */
    while (*place && (*place)->number == number) {
        place = &(*place)->next;
        number++;
    }
    int full = number == PTHREAD_KEYS_MAX;
    if (!full) {
        struct key *k = __auspex_allocate(sizeof *k);
        k->number = number;
        k->destructor = destructor;
        k->next = *place;
        *place = k;
        *key = number;
    }
    __auspex_atomic_end();
    return full ? EAGAIN : 0;
}

int pthread_key_delete(pthread_key_t key) {
    __auspex_atomic_begin();
    struct key *k = find_key(key);
    *key_place(key) = k->next;
    free(k);
    for (struct thread *t = &__rt_main; t; t = t->next) { /* the number is used again: no old values then */
        struct value **place = value_place(t, key);
        if (*place && (*place)->key == key)
            remove_value(place);
    }
    __auspex_atomic_end();
    return 0;
}

void *pthread_getspecific(pthread_key_t key) {
    __auspex_atomic_begin();
    find_key(key);
    struct value *v = *value_place(__rt_self, key);
    void *value = v && v->key == key ? v->value : NULL;
    __auspex_atomic_end();
    return value;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
    __auspex_atomic_begin();
    find_key(key);
    struct value **place = value_place(__rt_self, key);
    int there = *place && (*place)->key == key;
    if (!value && there)
        remove_value(place);
    if (value && !there) {
        struct value *v = __auspex_allocate(sizeof *v);
        v->key = key;
        v->next = *place;
        *place = v;
    }
    if (value)
        (*place)->value = (void *)value;
    __auspex_atomic_end();
    return 0;
}

/* Takes the first value of the thread from `key` on that has a destructor; 0 when there is none. */
static int take_value(unsigned key, struct value *taken, void (**destructor)(void *)) {
    int found = 0;
    __auspex_atomic_begin();
    struct value **place = value_place(__rt_self, key);
    while (*place && !find_key((*place)->key)->destructor)
        place = &(*place)->next;
    if (*place) {
        *taken = **place;
        *destructor = find_key(taken->key)->destructor;
        remove_value(place);
        found = 1;
    }
    __auspex_atomic_end();
    return found;
}

static int destructor_round(void) {
    struct value v = {0};
    void (*destructor)(void *);
    int any = 0;
    for (; take_value(v.key, &v, &destructor); v.key++) {
        destructor(v.value);
        any = 1;
    }
    return any;
}

static void run_destructors(void) {
    while (at_exit) {
        struct at_exit *first = at_exit;
        at_exit = first->next;
        first->function(first->argument);
        free(first);
    }
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && destructor_round(); round++)
        ;
}

/* The destructors of C++'s thread_local variables. */
int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *dso);
int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *dso) {
    (void)dso;
    struct at_exit *new = __auspex_allocate(sizeof *new);
    new->function = function;
    new->argument = argument;
    new->next = at_exit;
    at_exit = new;
    return 0;
}

int __cxa_thread_atexit(void (*function)(void *), void *argument, void *dso);
int __cxa_thread_atexit(void (*function)(void *), void *argument, void *dso) {
    return __cxa_thread_atexit_impl(function, argument, dso);
}

/* ---- once: 0 is not yet, ONCE_DONE done, a negative number -n-1 that thread n is at it ---- */

#define ONCE_DONE 2

static void reset_once(void *control) {
    __auspex_atomic_begin();
    *(pthread_once_t *)control = PTHREAD_ONCE_INIT;
    __auspex_atomic_end();
}

static int claim_once(pthread_once_t *control) {
    __auspex_atomic_begin();
    int state = *control;
    if (state < 0)
        __auspex_block(AUSPEX_ONCE, control, -state - 1);
    if (state == PTHREAD_ONCE_INIT)
        *control = -__rt_self->number - 1;
    __auspex_atomic_end();
    return state == PTHREAD_ONCE_INIT;
}

int pthread_once(pthread_once_t *control, void (*routine)(void)) {
    if (!claim_once(control))
        return 0;
    pthread_cleanup_push(reset_once, control); /* when the routine is cancelled, it is as if it had never run */
    routine();
    pthread_cleanup_pop(0);
    __auspex_atomic_begin();
    *control = ONCE_DONE;
    __auspex_atomic_end();
    return 0;
}

/* ---- attributes ---- */

#define ATTRIBUTES(attr) ((struct attributes *)(attr))
#define ATTRIBUTE(name, field, type)                                                                                           \
    int pthread_attr_set##name(pthread_attr_t *attr, type value) {                                                             \
        ATTRIBUTES(attr)->field = value;                                                                                       \
        return 0;                                                                                                              \
    }                                                                                                                          \
    int pthread_attr_get##name(const pthread_attr_t *restrict attr, type *restrict value) {                                    \
        *value = ATTRIBUTES(attr)->field;                                                                                      \
        return 0;                                                                                                              \
    }

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wcast-qual"
ATTRIBUTE(guardsize, guard, size_t)
ATTRIBUTE(stackaddr, stack, void *)
ATTRIBUTE(schedpolicy, policy, int)
ATTRIBUTE(inheritsched, inherit, int)
ATTRIBUTE(scope, scope, int)
#pragma clang diagnostic pop

int pthread_attr_init(pthread_attr_t *attr) {
    memset(attr, 0, sizeof *attr);
    ATTRIBUTES(attr)->guard = 4096;
    ATTRIBUTES(attr)->size = 8 << 20;
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attr) {
    (void)attr;
    return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attr, int state) {
    if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED)
        return EINVAL;
    ATTRIBUTES(attr)->detached = state;
    return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state) {
    *state = ATTRIBUTES(attr)->detached;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size) {
    if (size < 16384)
        return EINVAL;
    ATTRIBUTES(attr)->size = size;
    return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *restrict attr, size_t *restrict size) {
    *size = ATTRIBUTES(attr)->size;
    return 0;
}

int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size) {
    ATTRIBUTES(attr)->stack = stack;
    return pthread_attr_setstacksize(attr, size);
}

int pthread_attr_getstack(const pthread_attr_t *restrict attr, void **restrict stack, size_t *restrict size) {
    *stack = ATTRIBUTES(attr)->stack;
    return pthread_attr_getstacksize(attr, size);
}

int pthread_attr_setschedparam(pthread_attr_t *restrict attr, const struct sched_param *restrict param) {
    ATTRIBUTES(attr)->priority = param->sched_priority;
    return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *restrict attr, struct sched_param *restrict param) {
    param->sched_priority = ATTRIBUTES(attr)->priority;
    return 0;
}

int pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size, const cpu_set_t *set) {
    (void)attr, (void)size, (void)set;
    return 0;
}

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr) {
    pthread_attr_init(attr);
    __auspex_atomic_begin();
    ATTRIBUTES(attr)->detached = find(thread)->detached;
    __auspex_atomic_end();
    return 0;
}

/* ---- what means nothing here ---- */

int pthread_setname_np(pthread_t thread, const char *name) {
    (void)thread, (void)name;
    return 0;
}

int pthread_getname_np(pthread_t thread, char *name, size_t size) {
    (void)thread;
    if (size < 16)
        return ERANGE;
    strcpy(name, "thread");
    return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) {
    (void)thread, (void)size, (void)set;
    return 0;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
    (void)thread;
    memset(set, 0, size);
    *(char *)set = 1;
    return 0;
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *param) {
    (void)thread, (void)policy, (void)param;
    return 0;
}

int pthread_getschedparam(pthread_t thread, int *restrict policy, struct sched_param *restrict param) {
    (void)thread;
    *policy = SCHED_OTHER;
    param->sched_priority = 0;
    return 0;
}

int pthread_setschedprio(pthread_t thread, int priority) {
    (void)thread, (void)priority;
    return 0;
}

int pthread_setconcurrency(int level) {
    (void)level;
    return 0;
}

int pthread_getconcurrency(void) {
    return 0;
}

int pthread_getcpuclockid(pthread_t thread, clockid_t *clock) {
    (void)thread;
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    (void)prepare, (void)parent, (void)child; /* there is no fork */
    return 0;
}

/* Where the headers do not make it sched_yield. */
#undef pthread_yield
int __rt_pthread_yield(void) __asm__("pthread_yield");
int __rt_pthread_yield(void) {
    return sched_yield();
}
