/* Small programs for test/native.c. They see the system's headers and the runtime's functions, as a user's program does. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "../auspex.h"
#include "native.h"

size_t strlcpy_(char *, const char *, size_t) __asm__("strlcpy");

static const struct timespec soon = {1, 0};

static pthread_t start(void *(*function)(void *), long argument) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, function, (void *)argument) == 0);
    return thread;
}

static long join(pthread_t thread) {
    void *result;
    CHECK(pthread_join(thread, &result) == 0);
    return (long)result;
}

static void yield(void) {
    __auspex_atomic_begin();
    __auspex_atomic_end();
}

/* ---- mutexes ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter, inside;

static void *add(void *times) {
    for (long i = 0; i < (long)times; i++) {
        CHECK(pthread_mutex_lock(&mutex) == 0);
        CHECK(!inside++);
        yield();
        inside--;
        int seen = counter;
        yield();
        counter = seen + 1;
        CHECK(pthread_mutex_unlock(&mutex) == 0);
    }
    return times;
}

static void mutex_counter(void) {
    inside = counter = 0;
    pthread_t a = start(add, 3), b = start(add, 2), c = start(add, 4);
    CHECK(join(a) == 3);
    CHECK(join(b) == 2);
    CHECK(join(c) == 4);
    CHECK(counter == 9);
    CHECK(pthread_mutex_destroy(&mutex) == 0);
}

static void *racy(void *unused) {
    int seen = counter;
    yield();
    counter = seen + 1;
    return unused;
}

static void lost_update(void) {
    counter = 0;
    pthread_t a = start(racy, 0), b = start(racy, 0);
    join(a);
    join(b);
    CHECK(counter == 2);
}

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *lock_both(void *swapped) {
    pthread_mutex_lock(swapped ? &second : &first);
    pthread_mutex_lock(swapped ? &first : &second);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return NULL;
}

static void lock_order(void) {
    pthread_t a = start(lock_both, 0), b = start(lock_both, 1);
    join(a);
    join(b);
}

static void relock(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
}

static void *try_both_ways(void *unused) {
    static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    int busy = pthread_mutex_trylock(&recursive);
    if (busy)
        CHECK(busy == EBUSY && pthread_mutex_unlock(&recursive) == EPERM);
    else {
        CHECK(pthread_mutex_lock(&recursive) == 0);
        CHECK(pthread_mutex_unlock(&recursive) == 0);
        CHECK(pthread_mutex_unlock(&recursive) == 0);
    }
    CHECK(pthread_mutex_unlock(&checking) == EPERM);
    CHECK(pthread_mutex_lock(&checking) == 0);
    CHECK(pthread_mutex_lock(&checking) == EDEADLK);
    CHECK(pthread_mutex_trylock(&checking) == EBUSY);
    CHECK(pthread_mutex_unlock(&checking) == 0);
    int timed = pthread_mutex_timedlock(&mutex, &soon);
    CHECK(timed == 0 || timed == ETIMEDOUT);
    if (!timed)
        pthread_mutex_unlock(&mutex);
    else if (!busy)
        exit(7);
    return unused;
}

static void mutex_kinds(void) {
    pthread_t a = start(try_both_ways, 0), b = start(try_both_ways, 0);
    join(a);
    join(b);
    pthread_mutexattr_t attr;
    pthread_mutex_t local;
    int type;
    pthread_mutexattr_init(&attr);
    CHECK(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE) == 0);
    CHECK(pthread_mutexattr_gettype(&attr, &type) == 0 && type == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&local, &attr);
    CHECK(pthread_mutex_lock(&local) == 0 && pthread_mutex_trylock(&local) == 0);
    CHECK(pthread_mutex_unlock(&local) == 0 && pthread_mutex_unlock(&local) == 0);
    CHECK(pthread_mutex_unlock(&local) == EPERM);
    CHECK(pthread_mutex_destroy(&local) == 0);
}

static void unlock_free(void) {
    pthread_mutex_unlock(&mutex);
}

static void *unlock_it(void *unused) {
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void unlock_other(void) {
    pthread_mutex_lock(&mutex);
    join(start(unlock_it, 0));
}

static void destroy_locked(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex);
}

static void lock_destroyed(void) {
    pthread_mutex_destroy(&mutex);
    pthread_mutex_lock(&mutex);
}

static void init_locked(void) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&first);
    pthread_mutex_init(&first, NULL);
    pthread_mutex_init(&mutex, NULL);
}

static void *lock_it(void *lock) {
    CHECK(pthread_mutex_lock(lock) == 0);
    return NULL;
}

static void robust(void) {
    static pthread_mutex_t m;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attr);
    join(start(lock_it, (long)&m));
    CHECK(pthread_mutex_lock(&m) == EOWNERDEAD);
    CHECK(pthread_mutex_consistent(&m) == 0);
    CHECK(pthread_mutex_unlock(&m) == 0);
    join(start(lock_it, (long)&m));
    CHECK(pthread_mutex_lock(&m) == EOWNERDEAD);
    CHECK(pthread_mutex_unlock(&m) == 0);
    CHECK(pthread_mutex_lock(&m) == ENOTRECOVERABLE);
}

static void died_with_lock(void) {
    join(start(lock_it, (long)&mutex));
    pthread_t other = start(lock_it, (long)&mutex); /* has the dead one's number */
    join(other);
}

/* ---- condition variables ---- */

static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int buffer[2], filled, sum;

static void *produce(void *times) {
    for (long i = 1; i <= (long)times; i++) {
        pthread_mutex_lock(&mutex);
        while (filled == 2)
            pthread_cond_wait(&not_full, &mutex);
        buffer[filled++] = i;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *consume(void *times) {
    for (long i = 1; i <= (long)times; i++) {
        pthread_mutex_lock(&mutex);
        while (filled == 0)
            pthread_cond_wait(&not_empty, &mutex);
        sum += buffer[--filled];
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void cond_buffer(void) {
    filled = sum = 0;
    pthread_t t[] = {start(produce, 4), start(produce, 4), start(consume, 3), start(consume, 5)};
    for (int i = 0; i < 4; i++)
        join(t[i]);
    CHECK(sum == 20);
    CHECK(pthread_cond_destroy(&not_empty) == 0);
    CHECK(pthread_cond_destroy(&not_full) == 0);
}

static void *wait_with_if(void *unused) {
    pthread_mutex_lock(&mutex);
    if (!filled)
        pthread_cond_wait(&not_empty, &mutex);
    CHECK(filled);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void cond_spurious(void) {
    filled = 0;
    pthread_t a = start(wait_with_if, 0);
    pthread_mutex_lock(&mutex);
    filled = 1;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
    join(a);
}

static void *wait_for_filled(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!filled)
        pthread_cond_wait(&not_empty, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void cond_broadcast(void) {
    filled = 0;
    pthread_t a = start(wait_for_filled, 0), b = start(wait_for_filled, 0), c = start(wait_for_filled, 0);
    pthread_mutex_lock(&mutex);
    filled = 1;
    pthread_cond_broadcast(&not_empty);
    pthread_mutex_unlock(&mutex);
    join(a), join(b), join(c);
    pthread_cond_destroy(&not_empty);
}

/* Two waiters, one signal: one of them stays. */
static void cond_lost(void) {
    filled = 0;
    pthread_t a = start(wait_for_filled, 0), b = start(wait_for_filled, 0);
    pthread_mutex_lock(&mutex);
    filled = 1;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
    join(a), join(b);
}

/* Comes too late to exit 9 only when it timed out before the wake-up, but gets the mutex after it. */
static void *wait_timed(void *unused) {
    pthread_mutex_lock(&mutex);
    int error = filled ? 0 : pthread_cond_timedwait(&not_empty, &mutex, &soon);
    CHECK(error == 0 || error == ETIMEDOUT);
    if (error && filled)
        exit(9);
    pthread_mutex_unlock(&mutex);
    return unused;
}

/* The timed waiter may have timed out when the signal comes; then the other one must get it. */
static void cond_timed(void) {
    filled = 0;
    pthread_t a = start(wait_timed, 0), b = start(wait_for_filled, 0);
    pthread_mutex_lock(&mutex);
    filled = 1;
    pthread_cond_broadcast(&not_empty);
    pthread_mutex_unlock(&mutex);
    join(a), join(b);
}

static void cond_timed_signal(void) {
    filled = 0;
    pthread_t a = start(wait_timed, 0), b = start(wait_timed, 0);
    pthread_mutex_lock(&mutex);
    filled = 1;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
    join(a), join(b);
}

/* A waiter without a timeout gets the signal if the other one does not. */
static void *pass_on(void *unused) {
    pthread_mutex_lock(&mutex);
    if (!filled && pthread_cond_timedwait(&not_empty, &mutex, &soon) == 0)
        pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void cond_timed_both(void) {
    filled = 0;
    pthread_t a = start(pass_on, 0), b = start(wait_for_filled, 0);
    pthread_mutex_lock(&mutex);
    filled = 1;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
    join(a), join(b);
}

static void cond_unlocked(void) {
    pthread_cond_wait(&not_empty, &mutex);
}

static void *wait_with_first(void *unused) {
    pthread_mutex_lock(&first);
    pthread_cond_wait(&not_empty, &first);
    pthread_mutex_unlock(&first);
    return unused;
}

static void cond_two_mutexes(void) {
    pthread_t a = start(wait_with_first, 0);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&not_empty, &mutex);
    pthread_mutex_unlock(&mutex);
    join(a);
}

static void cond_destroyed(void) {
    start(wait_with_first, 0);
    pthread_mutex_lock(&first);
    pthread_cond_destroy(&not_empty);
}

/* ---- read-write locks ---- */

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static int readers, writers;

static void *read_it(void *unused) {
    CHECK(pthread_rwlock_rdlock(&rwlock) == 0);
    readers++;
    CHECK(!writers);
    yield();
    if (readers == 2)
        counter = 1;
    CHECK(!writers);
    readers--;
    CHECK(pthread_rwlock_unlock(&rwlock) == 0);
    return unused;
}

static void *write_it(void *unused) {
    CHECK(pthread_rwlock_wrlock(&rwlock) == 0);
    CHECK(!readers && !writers++);
    yield();
    CHECK(!readers && !--writers);
    CHECK(pthread_rwlock_unlock(&rwlock) == 0);
    int error = pthread_rwlock_tryrdlock(&rwlock);
    CHECK(error == 0 || error == EBUSY);
    if (!error)
        pthread_rwlock_unlock(&rwlock);
    error = pthread_rwlock_timedwrlock(&rwlock, &soon);
    CHECK(error == 0 || error == ETIMEDOUT);
    if (!error)
        pthread_rwlock_unlock(&rwlock);
    return unused;
}

static void rwlocks(void) {
    readers = writers = counter = 0;
    pthread_t t[] = {start(read_it, 0), start(write_it, 0), start(read_it, 0), start(write_it, 0)};
    for (int i = 0; i < 4; i++)
        join(t[i]);
    pthread_rwlock_destroy(&rwlock);
    if (counter)
        exit(5); /* two readers at once */
}

static void rw_upgrade(void) {
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_wrlock(&rwlock);
}

static void *rw_unlock_it(void *unused) {
    pthread_rwlock_unlock(&rwlock);
    return unused;
}

static void rw_unlock_other(void) {
    pthread_rwlock_rdlock(&rwlock);
    join(start(rw_unlock_it, 0));
}

/* ---- spinlocks, barriers, semaphores ---- */

static pthread_spinlock_t spin;

static void *spin_it(void *unused) {
    CHECK(pthread_spin_lock(&spin) == 0);
    CHECK(!inside++);
    yield();
    inside--;
    CHECK(pthread_spin_unlock(&spin) == 0);
    return unused;
}

static void spinlocks(void) {
    pthread_spin_init(&spin, 0);
    inside = 0;
    pthread_t a = start(spin_it, 0), b = start(spin_it, 0);
    join(a), join(b);
    CHECK(pthread_spin_trylock(&spin) == 0 && pthread_spin_trylock(&spin) == EBUSY);
    CHECK(pthread_spin_unlock(&spin) == 0 && pthread_spin_destroy(&spin) == 0);
}

static void spin_twice(void) {
    pthread_spin_init(&spin, 0);
    pthread_spin_lock(&spin);
    pthread_spin_lock(&spin);
}

static pthread_barrier_t barrier;
static int arrived, serial;

static void *meet(void *unused) {
    for (int round = 1; round <= 3; round++) {
        arrived++;
        int got = pthread_barrier_wait(&barrier);
        CHECK(got == 0 || got == PTHREAD_BARRIER_SERIAL_THREAD);
        serial += got != 0;
        CHECK(arrived >= 3 * round);
        CHECK(arrived <= 3 * round + 2);
    }
    return unused;
}

static void barriers(void) {
    arrived = serial = 0;
    CHECK(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    CHECK(pthread_barrier_init(&barrier, NULL, 3) == 0);
    pthread_t a = start(meet, 0), b = start(meet, 0);
    meet(NULL);
    join(a), join(b);
    CHECK(serial == 3);
    CHECK(pthread_barrier_destroy(&barrier) == 0);
}

static void barrier_alone(void) {
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_barrier_wait(&barrier);
}

static sem_t items, places;

static void *sem_produce(void *times) {
    for (long i = 0; i < (long)times; i++) {
        CHECK(sem_wait(&places) == 0);
        CHECK(++filled <= 2);
        CHECK(sem_post(&items) == 0);
    }
    return NULL;
}

static void semaphores(void) {
    filled = 0;
    sem_init(&items, 0, 0);
    sem_init(&places, 0, 2);
    pthread_t a = start(sem_produce, 3);
    for (int i = 0; i < 3; i++) {
        while (sem_timedwait(&items, &soon))
            CHECK(errno == ETIMEDOUT);
        filled--;
        CHECK(sem_post(&places) == 0);
    }
    join(a);
    int value;
    CHECK(sem_trywait(&items) == -1 && errno == EAGAIN);
    CHECK(sem_getvalue(&places, &value) == 0 && value == 2);
    CHECK(sem_destroy(&items) == 0 && sem_destroy(&places) == 0);
    sem_t *named = sem_open("/n", O_CREAT | O_EXCL, 0600, 1);
    CHECK(named != SEM_FAILED && sem_open("/n", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
    CHECK(sem_open("/n", 0) == named && sem_wait(named) == 0 && sem_trywait(named) == -1);
    CHECK(sem_unlink("/n") == 0 && sem_open("/n", 0) == SEM_FAILED && errno == ENOENT);
    CHECK(sem_close(named) == 0 && sem_close(named) == 0);
}

static void *sem_wait_it(void *unused) {
    sem_wait(&items);
    return unused;
}

static void sem_destroyed(void) {
    sem_init(&items, 0, 0);
    pthread_t a = start(sem_wait_it, 0);
    sem_destroy(&items);
    join(a);
}

/* ---- once, keys ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void) {
    counter++;
    yield();
    inside = 1;
}

static void *use_once(void *unused) {
    pthread_once(&once, initialise);
    CHECK(counter == 1 && inside == 1);
    return unused;
}

static void onces(void) {
    counter = inside = 0;
    pthread_t a = start(use_once, 0), b = start(use_once, 0);
    use_once(NULL);
    join(a), join(b);
}

static void recursive_once(void) {
    pthread_once(&once, recursive_once);
}

static void once_itself(void) {
    recursive_once();
}

static pthread_key_t key, other_key;

static void destroy_value(void *value) {
    counter += *(int *)value;
    free(value);
}

static void destroy_again(void *value) {
    int left = (int)(long)value;
    counter += 100;
    if (left > 1)
        pthread_setspecific(other_key, (void *)(long)(left - 1));
}

static void *use_key(void *number) {
    CHECK(!pthread_getspecific(key));
    int *value = malloc(sizeof *value);
    *value = (int)(long)number;
    CHECK(pthread_setspecific(key, value) == 0);
    yield();
    CHECK(pthread_getspecific(key) == value);
    if (number == (void *)2) {
        pthread_setspecific(other_key, (void *)3);
        pthread_exit(number);
    }
    return number;
}

static void keys(void) {
    counter = 0;
    CHECK(pthread_key_create(&key, destroy_value) == 0);
    CHECK(pthread_key_create(&other_key, destroy_again) == 0);
    CHECK(key != other_key);
    pthread_t a = start(use_key, 1), b = start(use_key, 2);
    CHECK(join(a) == 1);
    CHECK(join(b) == 2);
    CHECK(counter == 303);
    pthread_setspecific(other_key, &counter);
    CHECK(pthread_key_delete(key) == 0 && pthread_key_delete(other_key) == 0);
    CHECK(pthread_key_create(&key, NULL) == 0 && pthread_key_create(&other_key, NULL) == 0);
    CHECK(!pthread_getspecific(other_key));
}

static void key_deleted(void) {
    pthread_key_create(&key, NULL);
    pthread_key_delete(key);
    pthread_getspecific(key);
}

/* ---- threads ---- */

static void *number(void *argument) {
    return argument;
}

static void join_twice(void) {
    pthread_t a = start(number, 1);
    join(a);
    join(a);
}

static void join_detached(void) {
    pthread_t a = start(number, 1);
    pthread_detach(a);
    join(a);
}

static void join_self(void) {
    join(pthread_self());
}

static pthread_t thread_a, thread_b;
static void *join_b(void *unused) {
    join(thread_b);
    return unused;
}
static void *join_a(void *unused) {
    join(thread_a);
    return unused;
}

static void join_circle(void) {
    pthread_mutex_lock(&mutex);
    __auspex_atomic_begin();
    thread_a = start(join_b, 0);
    thread_b = start(join_a, 0);
    __auspex_atomic_end();
    pthread_exit(NULL);
}

static void *set_counter(void *value) {
    counter = (int)(long)value;
    return NULL;
}

static void handler(void) {
    CHECK(counter == 5);
    counter = 6;
}

static void detached(void) {
    counter = 0;
    atexit(handler);
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    CHECK(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    CHECK(pthread_create(&thread, &attr, set_counter, (void *)5) == 0);
    pthread_exit(NULL); /* the last thread to end runs the handlers */
}

static void try_join(void) {
    void *result;
    pthread_t a = start(number, 4);
    int error = pthread_tryjoin_np(a, &result);
    if (error == EBUSY)
        error = pthread_timedjoin_np(a, &result, &soon);
    if (error == ETIMEDOUT)
        error = pthread_join(a, &result);
    else
        counter = 1;
    CHECK(error == 0 && result == (void *)4);
    CHECK(pthread_equal(pthread_self(), pthread_self()));
}

static pthread_t main_thread;

static void *join_main(void *unused) {
    CHECK(join(main_thread) == 77);
    exit(3);
    return unused;
}

static void main_joined(void) {
    main_thread = pthread_self();
    start(join_main, 0);
    pthread_exit((void *)77);
}

/* ---- cancellation ---- */

static void count_up(void *amount) {
    counter += (int)(long)amount;
}

static void unlock_cleanup(void *lock) {
    counter += 100;
    pthread_mutex_unlock(lock);
}

static void *wait_forever(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock_cleanup, &mutex);
    pthread_cleanup_push(count_up, (void *)1);
    for (;;)
        pthread_cond_wait(&not_empty, &mutex);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(1);
    return unused;
}

static void cancel_wait(void) {
    counter = 0;
    pthread_t a = start(wait_forever, 0);
    CHECK(pthread_cancel(a) == 0);
    CHECK(join(a) == (long)PTHREAD_CANCELED);
    pthread_mutex_lock(&mutex);
    CHECK(counter == 101 || counter == 0);
    pthread_cond_destroy(&not_empty);
}

static void *cancel_later(void *unused) {
    int old;
    CHECK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
    pthread_testcancel();
    sem_post(&items);
    pthread_cleanup_push(count_up, (void *)10);
    pthread_cleanup_pop(0);
    pthread_cleanup_push(count_up, (void *)20);
    pthread_cleanup_pop(1);
    sem_wait(&places);
    CHECK(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
    pthread_cleanup_push(count_up, (void *)1);
    usleep(100);
    CHECK(0);
    pthread_cleanup_pop(1);
    return unused;
}

static void cancel_disabled(void) {
    counter = 0;
    sem_init(&items, 0, 0);
    sem_init(&places, 0, 0);
    pthread_t a = start(cancel_later, 0);
    sem_wait(&items);
    CHECK(pthread_cancel(a) == 0);
    sem_post(&places);
    CHECK(join(a) == (long)PTHREAD_CANCELED);
    CHECK(counter == 21);
}

static void cancelled_once(void) {
    counter++;
    if (counter == 1)
        for (;;)
            pthread_testcancel();
}

static void *try_once(void *unused) {
    pthread_once(&once, cancelled_once);
    return unused;
}

static void cancel_once(void) {
    counter = 0;
    pthread_t a = start(try_once, 0);
    pthread_cancel(a);
    join(a);
    if (counter)
        pthread_once(&once, cancelled_once);
    CHECK(counter == 2 || counter == 0);
}

static void exit_in_join_wait(void *unused) {
    (void)unused;
    counter += 1000;
}

static void *blocked_join(void *thread) {
    pthread_cleanup_push(exit_in_join_wait, NULL);
    join((pthread_t)thread);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *wait_places(void *unused) {
    sem_wait(&places);
    return unused;
}

static void cancel_join(void) {
    counter = 0;
    sem_init(&places, 0, 0);
    pthread_t a = start(wait_places, 0), b = start(blocked_join, (long)a);
    pthread_cancel(b);
    CHECK(join(b) == (long)PTHREAD_CANCELED);
    sem_post(&places);
    join(a);
    CHECK(counter == 1000 || counter == 0);
}

static void test_again(void *unused) {
    (void)unused;
    pthread_testcancel(); /* it is on its way out already */
    counter++;
}

static void *cancelled_twice(void *by_exit) {
    pthread_cleanup_push(test_again, NULL);
    if (by_exit)
        pthread_exit(by_exit);
    sem_wait(&places); /* nobody posts */
    pthread_cleanup_pop(0);
    return NULL;
}

static void cancel_twice(void) {
    counter = 0;
    sem_init(&places, 0, 0);
    pthread_t a = start(cancelled_twice, 0), b = start(cancelled_twice, 5);
    CHECK(pthread_cancel(a) == 0 && pthread_cancel(b) == 0 && pthread_cancel(a) == 0);
    CHECK(join(a) == (long)PTHREAD_CANCELED && join(b) == 5);
    CHECK(counter == 2);
}

static void *become_asynchronous(void *unused) {
    sem_wait(&places);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    int old;
    CHECK(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
    CHECK(0);
    return unused;
}

static void *begin_disabled(void *unused) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    sem_post(&items);
    return become_asynchronous(unused);
}

static void cancel_asynchronous(void) {
    sem_init(&places, 0, 0);
    sem_init(&items, 0, 0);
    pthread_t a = start(begin_disabled, 0);
    sem_wait(&items);
    pthread_cancel(a);
    sem_post(&places);
    CHECK(join(a) == (long)PTHREAD_CANCELED);
}

/* ---- C11 ---- */

static mtx_t mtx;
static cnd_t cnd;
static once_flag flag = ONCE_FLAG_INIT;

static void once11(void) {
    counter += 10;
}

static int thread11(void *argument) {
    call_once(&flag, once11);
    CHECK(mtx_lock(&mtx) == thrd_success);
    counter++;
    cnd_signal(&cnd);
    CHECK(mtx_unlock(&mtx) == thrd_success);
    if (argument == &mtx)
        thrd_exit(-5);
    return 41;
}

static void threads11(void) {
    counter = 0;
    thrd_t a, b;
    int x, y;
    CHECK(mtx_init(&mtx, mtx_timed) == thrd_success && cnd_init(&cnd) == thrd_success);
    CHECK(thrd_create(&a, thread11, &mtx) == thrd_success && thrd_create(&b, thread11, NULL) == thrd_success);
    mtx_lock(&mtx);
    while (counter < 12) {
        int got = cnd_timedwait(&cnd, &mtx, &soon);
        CHECK(got == thrd_success || got == thrd_timedout);
    }
    mtx_unlock(&mtx);
    CHECK(thrd_join(a, &x) == thrd_success && x == -5);
    CHECK(thrd_join(b, &y) == thrd_success && y == 41);
    int busy = mtx_trylock(&mtx);
    if (busy == thrd_busy)
        exit(2);
    CHECK(mtx_unlock(&mtx) == thrd_success);
    mtx_destroy(&mtx);
    cnd_destroy(&cnd);
}


/* ---- nothing may grow: after a round of everything the runtime is as it was before ---- */

static void *wait_a_moment(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&not_empty, &mutex, &soon);
    pthread_cond_signal(&not_empty); /* it may have been meant for another */
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void round_of_everything(void) {
    filled = sum = counter = inside = readers = writers = arrived = serial = 0;
    pthread_t t[] = {start(produce, 2), start(consume, 2), start(add, 2), start(wait_a_moment, 0)};
    for (int i = 3; i >= 0; i--)
        join(t[i]);
    pthread_t r[] = {start(read_it, 0), start(write_it, 0)};
    join(r[0]), join(r[1]);
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_t b[] = {start(meet, 0), start(meet, 0)};
    meet(NULL);
    join(b[0]), join(b[1]);
    keys();
    pthread_key_delete(key), pthread_key_delete(other_key);
    semaphores();
    pthread_t c = start(wait_forever, 0);
    pthread_cancel(c);
    join(c);
    filled = sum = counter = inside = readers = writers = arrived = serial = buffer[0] = buffer[1] = 0;
}

static void steady(void) {
    round_of_everything();
    unsigned long state = native_state();
    for (int i = 0; i < 3; i++) {
        round_of_everything();
        CHECK(native_state() == state);
    }
}

/* Locks whose memory is gone, and more of them than are remembered. */
static void lost_locks(void) {
    pthread_mutex_t many[12];
    for (int i = 0; i < 12; i++) {
        pthread_mutex_t *gone = malloc(sizeof *gone);
        pthread_mutex_init(gone, NULL);
        pthread_mutex_lock(gone);
        memset(gone, 0xff, sizeof *gone); /* not free: malloc would give the address again, which the machine never does */
        CHECK(pthread_mutex_init(&many[i], NULL) == 0 && pthread_mutex_lock(&many[i]) == 0);
    }
    for (int i = 0; i < 12; i++)
        CHECK(pthread_mutex_unlock(&many[i]) == 0 && pthread_mutex_destroy(&many[i]) == 0);
}

/* ---- libc ---- */

static void input(void) {
    int a, b;
    char word[10], line[20], *more = NULL;
    size_t size = 0;
    CHECK(scanf("%d,%x", &a, &b) == 2 && a == -12 && b == 255);
    CHECK(getchar() == ' ' && scanf("%9s", word) == 1 && !strcmp(word, "word"));
    CHECK(fgets(line, sizeof line, stdin) && !strcmp(line, "\n"));
    CHECK(fgets(line, 4, stdin) && !strcmp(line, "lin"));
    int c = getc(stdin);
    CHECK(c == 'e' && ungetc('E', stdin) == 'E');
    CHECK(getline(&more, &size, stdin) == 2 && !strcmp(more, "E\n"));
    CHECK(fread(line, 1, 2, stdin) == 2 && line[0] == 'x' && line[1] == 'y' && !feof(stdin));
    CHECK(scanf("%d", &a) == EOF && feof(stdin) && getchar() == EOF && !fgets(line, 4, stdin));
    free(more);
}

static int handled;

static void on_signal(int number) {
    handled += number;
}

static void late(int status, void *argument) {
    CHECK(status == 4 && argument == &handled && handled == SIGUSR1 + 1);
}

static void early(void) {
    handled++;
}

#pragma clang diagnostic ignored "-Watomic-alignment"
static void misc(void) {
    handled = 0;
    CHECK(signal(SIGUSR1, on_signal) == SIG_DFL && raise(SIGUSR1) == 0 && handled == SIGUSR1);
    sigset_t set;
    CHECK(sigemptyset(&set) == 0 && sigaddset(&set, 33) == 0 && sigismember(&set, 33) == 1 && !sigismember(&set, 32));
    CHECK(!fopen("/etc/passwd", "r") && errno == ENOENT && !getenv("HOME") && fileno(stderr) == 2);
    srand(3);
    int first_number = rand();
    srand(3);
    CHECK(rand() == first_number && first_number >= 0 && drand48() < 1);
    CHECK(div(-7, 2).quot == -3 && div(-7, 2).rem == -1 && abs(-4) == 4 && atoi("42x") == 42);
    struct wide {
        long n[4];
    } x = {{1, 2, 3, 4}}, y, z = {{5, 6, 7, 8}};
    _Atomic struct wide w;
    __c11_atomic_init(&w, x);
    y = __c11_atomic_load(&w, __ATOMIC_SEQ_CST);
    CHECK(y.n[3] == 4 && !__c11_atomic_compare_exchange_strong(&w, &z, y, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && z.n[0] == 1);
    z.n[0] = 9;
    y = __c11_atomic_exchange(&w, z, __ATOMIC_SEQ_CST);
    CHECK(y.n[0] == 1);
    __c11_atomic_store(&w, z, __ATOMIC_SEQ_CST);
    y = __c11_atomic_load(&w, __ATOMIC_SEQ_CST);
    CHECK(y.n[0] == 9);
    char text[8] = "abc";
    CHECK(strlcpy_(text, "longer than that", 8) == 16 && !strcmp(text, "longer "));
    CHECK(!strcmp(strerror(EINVAL), "Invalid argument") && mempcpy(text, "xy", 2) == text + 2 && isdigit('7') && !isdigit('a'));
    on_exit(late, &handled);
    atexit(early);
    exit(4);
}

/* Time may pass, but never back. */
static void clocks(void) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_MONOTONIC, &b);
    CHECK(b.tv_sec >= a.tv_sec);
    exit(b.tv_sec > a.tv_sec);
}

const struct program programs[] = {
    {"mutex_counter", mutex_counter, {"exit 0"}, 0, 0},
    {"lost_update", lost_update, {"exit 0", "assertion: counter == 2"}, 0, 0},
    {"lock_order", lock_order, {"exit 0", "deadlock"}, 0, 0},
    {"relock", relock, {"deadlock"}, 0, 0},
    {"mutex_kinds", mutex_kinds, {"exit 0", "exit 7"}, 0, 0},
    {"unlock_free", unlock_free, {"misuse: unlock of a mutex that is not locked"}, 0, 0},
    {"unlock_other", unlock_other, {"misuse: unlock of a mutex that another thread holds"}, 0, 0},
    {"destroy_locked", destroy_locked, {"misuse: destruction of a locked mutex"}, 0, 0},
    {"lock_destroyed", lock_destroyed, {"misuse: use of a destroyed mutex"}, 0, 0},
    {"init_locked", init_locked, {"misuse: initialisation of a locked mutex"}, 0, 0},
    {"robust", robust, {"exit 0"}, 0, 0},
    {"died_with_lock", died_with_lock, {"deadlock"}, 0, 0},
    {"cond_buffer", cond_buffer, {"exit 0"}, 0, 0},
    {"cond_spurious", cond_spurious, {"exit 0", "assertion: filled"}, 0, 0},
    {"cond_broadcast", cond_broadcast, {"exit 0"}, 0, 0},
    {"cond_lost", cond_lost, {"exit 0", "deadlock"}, 0, 0},
    {"cond_timed", cond_timed, {"exit 0", "exit 9"}, 0, 0},
    {"cond_timed_signal", cond_timed_signal, {"exit 0", "exit 9"}, 0, 0},
    {"cond_timed_both", cond_timed_both, {"exit 0"}, 0, 0},
    {"cond_unlocked", cond_unlocked, {"misuse: wait for a condition variable without holding the mutex"}, 0, 0},
    {"cond_two_mutexes",
     cond_two_mutexes,
     {"misuse: waits for one condition variable with different mutexes", "deadlock", "exit 0"},
     0,
     0},
    {"cond_destroyed",
     cond_destroyed,
     {"exit 0", "misuse: destruction of a condition variable that threads wait for"},
     0,
     0},
    {"rwlocks", rwlocks, {"exit 0", "exit 5"}, 0, 0},
    {"rw_upgrade", rw_upgrade, {"deadlock"}, 0, 0},
    {"rw_unlock_other", rw_unlock_other, {"misuse: unlock of a read-write lock that other threads hold"}, 0, 0},
    {"spinlocks", spinlocks, {"exit 0"}, 0, 0},
    {"spin_twice", spin_twice, {"misuse: a spinlock is locked again by its owner"}, 0, 0},
    {"barriers", barriers, {"exit 0"}, 0, 0},
    {"barrier_alone", barrier_alone, {"deadlock"}, 0, 0},
    {"semaphores", semaphores, {"exit 0"}, 0, 0},
    {"sem_destroyed", sem_destroyed, {"misuse: use of a destroyed semaphore"}, 0, 0},
    {"onces", onces, {"exit 0"}, 0, 0},
    {"once_itself", once_itself, {"deadlock"}, 0, 0},
    {"keys", keys, {"exit 0"}, 0, 0},
    {"key_deleted", key_deleted, {"misuse: no such key: it was never created or is deleted"}, 0, 0},
    {"join_twice", join_twice, {"misuse: no such thread: it was joined already, or it was detached and has ended"}, 0, 0},
    {"join_detached",
     join_detached,
     {"misuse: join of a detached thread",
      "misuse: no such thread: it was joined already, or it was detached and has ended"},
     0,
     0},
    {"join_self", join_self, {"misuse: a thread joins itself"}, 0, 0},
    {"join_circle", join_circle, {"deadlock"}, 0, 0},
    {"detached", detached, {"exit 0"}, 0, 0},
    {"try_join", try_join, {"exit 0"}, 0, 0},
    {"main_joined", main_joined, {"exit 3"}, 0, 0},
    {"cancel_wait", cancel_wait, {"exit 0"}, 0, 0},
    {"cancel_disabled", cancel_disabled, {"exit 0"}, 0, 0},
    {"cancel_once", cancel_once, {"exit 0"}, 0, 0},
    {"cancel_join", cancel_join, {"exit 0"}, 0, 0},
    {"cancel_twice", cancel_twice, {"exit 0"}, 0, 0},
    {"cancel_asynchronous", cancel_asynchronous, {"exit 0"}, 0, 0},
    {"threads11", threads11, {"exit 0", "exit 2"}, 0, 0},
    {"steady", steady, {"exit 0"}, 0, 0},
    {"lost_locks", lost_locks, {"exit 0"}, 0, 0},
    {"input", input, {"exit 0"}, "-12,ff word\nline\nxy", 0},
    {"misc", misc, {"exit 4"}, 0, 0},
    {"clocks", clocks, {"exit 0", "exit 1"}, 0, 0},
    {0, 0, {0}, 0, 0},
};
