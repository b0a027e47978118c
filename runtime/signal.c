/* <signal.h>: handlers are called by raise only; signals from outside do not come. */
#include "runtime.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIGNALS 32 /* those of real time cannot be caught */

static void (*handlers[SIGNALS])(int);

static int fail(int error) {
    errno = error;
    return -1;
}

static int bad(int signal) {
    return signal <= 0 || signal >= SIGNALS || signal == SIGKILL || signal == SIGSTOP;
}

static void (*exchange(int signal, void (*handler)(int)))(int) {
    __auspex_atomic_begin();
    void (*old)(int) = handlers[signal];
    handlers[signal] = handler;
    __auspex_atomic_end();
    return old;
}

static void (*get(int signal))(int) {
    __auspex_atomic_begin();
    void (*handler)(int) = handlers[signal];
    __auspex_atomic_end();
    return handler;
}

void (*signal(int signal, void (*handler)(int)))(int) {
    if (bad(signal)) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return exchange(signal, handler);
}

int sigaction(int signal, const struct sigaction *restrict new, struct sigaction *restrict old) {
    if (bad(signal))
        return fail(EINVAL);
    void (*was)(int) = new ? exchange(signal, new->sa_handler) : get(signal);
    if (old) {
        memset(old, 0, sizeof *old);
        old->sa_handler = was;
    }
    return 0;
}

static int ignored_by_default(int signal) {
    return signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH;
}

int raise(int signal) {
    if (signal < 0 || signal >= SIGNALS)
        return fail(EINVAL);
    void (*handler)(int) = signal ? get(signal) : SIG_IGN;
    if (handler == SIG_IGN || (handler == SIG_DFL && ignored_by_default(signal)))
        return 0;
    if (handler != SIG_DFL)
        handler(signal);
    else if (signal == SIGABRT)
        abort();
    else
        __auspex_exit(128 + signal);
    return 0;
}

int kill(pid_t process, int signal) {
    return process == getpid() || process == 0 ? raise(signal) : fail(ESRCH);
}

/* A handler may run in any thread; here, in the one that asks. */
int pthread_kill(pthread_t thread, int signal) {
    (void)thread;
    return raise(signal) ? EINVAL : 0;
}

unsigned alarm(unsigned seconds) {
    (void)seconds;
    return 0;
}

int pause(void) {
    for (;;) {
        pthread_testcancel();
        __auspex_atomic_begin();
        __auspex_block(AUSPEX_OTHER, NULL, -1);
    }
}

/* ---- sets of signals ---- */

int sigemptyset(sigset_t *set) {
    memset(set, 0, sizeof *set);
    return 0;
}

int sigfillset(sigset_t *set) {
    memset(set, 0xff, sizeof *set);
    return 0;
}

static unsigned long *word(const sigset_t *set, int signal) {
    return (unsigned long *)set->__val + (signal - 1) / (8 * sizeof(long));
}

static unsigned long bit(int signal) {
    return 1ul << (signal - 1) % (8 * sizeof(long));
}

int sigaddset(sigset_t *set, int signal) {
    if (signal <= 0 || signal >= NSIG)
        return fail(EINVAL);
    *word(set, signal) |= bit(signal);
    return 0;
}

int sigdelset(sigset_t *set, int signal) {
    if (signal <= 0 || signal >= NSIG)
        return fail(EINVAL);
    *word(set, signal) &= ~bit(signal);
    return 0;
}

int sigismember(const sigset_t *set, int signal) {
    if (signal <= 0 || signal >= NSIG)
        return fail(EINVAL);
    return (*word(set, signal) & bit(signal)) != 0;
}

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    (void)how, (void)set;
    if (old)
        sigemptyset(old);
    return 0;
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    return pthread_sigmask(how, set, old);
}
