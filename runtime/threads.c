/* The threads of C11, on top of those of POSIX. */
#include <threads.h>

#include "thread.h"

#define MUTEX(mutex) ((struct mutex *)(mutex))

static int result_of(int error) {
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    case ENOMEM:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

/* ---- threads ---- */

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
    return result_of(__rt_thread_create(thread, 0, 1, (void (*)(void))start, argument));
}

int thrd_join(thrd_t thread, int *result) {
    void *value;
    int error = __rt_join(thread, &value, 0);
    if (!error && result)
        *result = (int)(long)value;
    return result_of(error);
}

int thrd_detach(thrd_t thread) {
    return result_of(pthread_detach(thread));
}

thrd_t thrd_current(void) {
    return (thrd_t)__rt_self;
}

int thrd_equal(thrd_t a, thrd_t b) {
    return a == b;
}

void thrd_exit(int result) {
    pthread_exit((void *)(long)result);
}

void thrd_yield(void) {
    sched_yield();
}

int thrd_sleep(const struct timespec *time, struct timespec *remaining) {
    return nanosleep(time, remaining) ? -1 : 0;
}

/* ---- mutexes ---- */

int mtx_init(mtx_t *mutex, int type) {
    if (type & ~(mtx_recursive | mtx_timed))
        return thrd_error;
    int kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE_NP : PTHREAD_MUTEX_NORMAL;
    return result_of(pthread_mutex_init((pthread_mutex_t *)mutex, (const pthread_mutexattr_t *)&kind));
}

int mtx_lock(mtx_t *mutex) {
    return result_of(pthread_mutex_lock((pthread_mutex_t *)mutex));
}

/* Unlike pthread_mutex_trylock it may fail though the mutex is free (C11, 7.26.4.5). */
int mtx_trylock(mtx_t *mutex) {
    struct mutex *m = MUTEX(mutex);
    __auspex_atomic_begin();
    int error = !m->owner && __auspex_choose(2) ? EBUSY : __rt_mutex_lock(m, EBUSY);
    __auspex_atomic_end();
    return result_of(error);
}

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until) {
    return result_of(pthread_mutex_timedlock((pthread_mutex_t *)mutex, until));
}

int mtx_unlock(mtx_t *mutex) {
    return result_of(pthread_mutex_unlock((pthread_mutex_t *)mutex));
}

void mtx_destroy(mtx_t *mutex) {
    pthread_mutex_destroy((pthread_mutex_t *)mutex);
}

/* ---- condition variables ---- */

int cnd_init(cnd_t *cond) {
    return result_of(pthread_cond_init((pthread_cond_t *)cond, NULL));
}

int cnd_wait(cnd_t *cond, mtx_t *mutex) {
    return result_of(__rt_cond_wait((struct cond *)cond, MUTEX(mutex), NULL));
}

int cnd_timedwait(cnd_t *restrict cond, mtx_t *restrict mutex, const struct timespec *restrict until) {
    return result_of(__rt_cond_wait((struct cond *)cond, MUTEX(mutex), until));
}

int cnd_signal(cnd_t *cond) {
    __rt_cond_signal((struct cond *)cond);
    return thrd_success;
}

int cnd_broadcast(cnd_t *cond) {
    __rt_cond_broadcast((struct cond *)cond);
    return thrd_success;
}

void cnd_destroy(cnd_t *cond) {
    pthread_cond_destroy((pthread_cond_t *)cond);
}

/* ---- thread-specific storage, once ---- */

int tss_create(tss_t *key, tss_dtor_t destructor) {
    return result_of(pthread_key_create(key, destructor));
}

void *tss_get(tss_t key) {
    return pthread_getspecific(key);
}

int tss_set(tss_t key, void *value) {
    return result_of(pthread_setspecific(key, value));
}

void tss_delete(tss_t key) {
    pthread_key_delete(key);
}

void call_once(once_flag *flag, void (*function)(void)) {
    pthread_once(&flag->__data, function);
}
