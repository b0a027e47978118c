#define _GNU_SOURCE
#include "genlibipc.h"
#include "genliboutput.h"
#include "genlibproc.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_GUARDED 1024

/* The guard learns the queues through this pipe, and that we have ended by its end of file. */
static int guard_pipe = -1;
static pid_t guarded; /* whose guard it is: not that of a process that we fork */

/* Reads queues until the pipe ends, then removes them. Signals that end the others do not reach it. */
static _Noreturn void guard(int from)
{
    int queues[MAX_GUARDED];
    int count = 0, queue, kept = open("/dev/null", O_RDWR);
    ssize_t length;

    setsid();
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    /* Whoever reads our output must not have to wait for this process. */
    for (int fd = 0; fd < 3 && kept >= 0; fd++) {
        dup2(kept, fd);
    }
    while ((length = read(from, &queue, sizeof queue)) != 0) {
        if (length == (ssize_t)sizeof queue && count < MAX_GUARDED) {
            queues[count++] = queue;
        } else if (length < 0 && errno != EINTR) {
            break;
        }
    }
    for (int i = 0; i < count; i++) {
        msgctl(queues[i], IPC_RMID, NULL);
    }
    _exit(0);
}

/* Closes what the guard does not need: it must not keep a socket or a pipe of ours open. */
static void close_others(int kept)
{
    long limit = sysconf(_SC_OPEN_MAX);

    if (limit < 0 || limit > 4096) {
        limit = 4096;
    }
    for (int fd = 3; fd < limit; fd++) {
        if (fd != kept) {
            close(fd);
        }
    }
}

static int start_guard(void)
{
    int ends[2];
    pid_t child;

    if (pipe(ends) != 0) {
        return -1;
    }
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fflush(NULL);
    child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return -1;
    }
    if (child == 0) {
        /* Twice, so that the guard is nobody's child here. */
        if (fork() == 0) {
            close_others(ends[0]);
            guard(ends[0]);
        }
        _exit(0);
    }
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    close(ends[0]);
    guard_pipe = ends[1];
    guarded = getpid();
    return 0;
}

int ipc_mq_new(void)
{
    int queue;

    if (guard_pipe >= 0 && guarded != getpid()) {
        close(guard_pipe);
        guard_pipe = -1;
    }
    if (guard_pipe < 0 && start_guard() != 0) {
        output_failed("cannot watch over message queues");
        return -1;
    }
    queue = msgget(IPC_PRIVATE, 0600);
    if (queue < 0) {
        output_failed("cannot make a message queue");
        return -1;
    }
    /* A pipe takes as little as this at once or not at all. */
    while (write(guard_pipe, &queue, sizeof queue) < 0) {
        if (errno != EINTR) {
            output_failed("nobody will remove message queue %d", queue);
            break;
        }
    }
    return queue;
}

int ipc_mq_open(long key)
{
    int queue = msgget((key_t)key, IPC_CREAT | 0600);

    if (queue < 0) {
        output_failed("cannot open the message queue with key %ld", key);
    }
    return queue;
}

static size_t content(size_t size)
{
    return size < sizeof(long) ? 0 : size - sizeof(long);
}

int ipc_mq_snd(int queue, void *message, size_t size, int block)
{
    long type;

    memcpy(&type, message, sizeof type);
    if (type <= 0) {
        type = 1;
        memcpy(message, &type, sizeof type);
    }
    while (msgsnd(queue, message, content(size), block ? 0 : IPC_NOWAIT) != 0) {
        if (errno == EINTR && !proc_stopping()) {
            continue;
        }
        if (errno == EAGAIN) {
            return IPC_NOT_NOW;
        }
        if (errno == EIDRM || errno == EINVAL || errno == EINTR) {
            return IPC_CLOSED;
        }
        output_failed("cannot send to message queue %d", queue);
        return IPC_FAILED;
    }
    return IPC_DONE;
}

/* One attempt; `interrupted` says what a signal means. */
static int receive(int queue, void *message, size_t size, long type, int flags, int *interrupted)
{
    *interrupted = 0;
    if (msgrcv(queue, message, content(size), type, flags) >= 0) {
        return IPC_DONE;
    }
    switch (errno) {
    case EINTR:
        *interrupted = 1;
        return IPC_CLOSED;
    case ENOMSG:
        return IPC_NOT_NOW;
    case EIDRM:
    case EINVAL: /* was removed before we asked */
        return IPC_CLOSED;
    default:
        output_failed("cannot receive from message queue %d", queue);
        return IPC_FAILED;
    }
}

int ipc_mq_rcv(int queue, void *message, size_t size, long type, int block)
{
    int interrupted, result;

    do {
        result = receive(queue, message, size, type, block ? 0 : IPC_NOWAIT, &interrupted);
    } while (interrupted && !proc_stopping());
    return result;
}

static void wake_up(int signal)
{
    (void)signal;
}

int ipc_mq_rcv_timeout(int queue, void *message, size_t size, long type, long milliseconds)
{
    struct sigaction waking = {.sa_handler = wake_up}, before;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    struct itimerspec times;
    long deadline = proc_now() + milliseconds;
    int interrupted, result;
    timer_t timer;

    result = ipc_mq_rcv(queue, message, size, type, 0);
    if (result != IPC_NOT_NOW) {
        return result;
    }
    if (milliseconds <= 0) {
        return IPC_TIMEOUT;
    }
    sigemptyset(&waking.sa_mask);
    sigaction(SIGALRM, &waking, &before);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) {
        output_failed("cannot make a timer");
        sigaction(SIGALRM, &before, NULL);
        return IPC_FAILED;
    }
    /* A first signal that comes just before we wait would be lost: it is repeated. */
    times.it_value.tv_sec = milliseconds / 1000;
    times.it_value.tv_nsec = milliseconds % 1000 * 1000000;
    times.it_interval.tv_sec = 0;
    times.it_interval.tv_nsec = 5000000;
    timer_settime(timer, 0, &times, NULL);
    do {
        result = receive(queue, message, size, type, 0, &interrupted);
        if (interrupted && proc_now() >= deadline && !proc_stopping()) {
            result = IPC_TIMEOUT;
            interrupted = 0;
        }
    } while (interrupted && !proc_stopping());
    timer_delete(timer);
    sigaction(SIGALRM, &before, NULL);
    return result;
}

int ipc_mq_len(int queue)
{
    struct msqid_ds about;

    return msgctl(queue, IPC_STAT, &about) == 0 ? (int)about.msg_qnum : -1;
}

int ipc_mq_limit(int queue, size_t bytes)
{
    struct msqid_ds about;

    if (msgctl(queue, IPC_STAT, &about) != 0) {
        output_failed("cannot limit message queue %d", queue);
        return -1;
    }
    about.msg_qbytes = (msglen_t)bytes;
    if (msgctl(queue, IPC_SET, &about) != 0) {
        output_failed("cannot limit message queue %d", queue);
        return -1;
    }
    return 0;
}

int ipc_mq_remove(int queue)
{
    if (msgctl(queue, IPC_RMID, NULL) != 0 && errno != EINVAL && errno != EIDRM) {
        output_failed("cannot remove message queue %d", queue);
        return -1;
    }
    return 0;
}

/* POSIX queues. A mqd_t is a file descriptor on Linux and stays one here. */

int ipc_pq_open(const char *name, long capacity, size_t size)
{
    struct mq_attr about = {.mq_maxmsg = capacity, .mq_msgsize = (long)size};
    mqd_t queue = mq_open(name, O_RDWR | O_CREAT, 0600, &about);

    if (queue == (mqd_t)-1) {
        output_failed("cannot open message queue %s", name);
        return -1;
    }
    /* Programs that we run are to find it open. */
    fcntl(queue, F_SETFD, 0);
    return (int)queue;
}

int ipc_pq_new(long capacity, size_t size)
{
    static int made;
    struct mq_attr about = {.mq_maxmsg = capacity, .mq_msgsize = (long)size};
    char name[64];
    mqd_t queue;

    do {
        snprintf(name, sizeof name, "/generate-%ld-%d", (long)getpid(), made++);
        queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &about);
    } while (queue == (mqd_t)-1 && errno == EEXIST && made < 1000);
    if (queue == (mqd_t)-1) {
        output_failed("cannot make a message queue");
        return -1;
    }
    mq_unlink(name);
    fcntl(queue, F_SETFD, 0);
    return (int)queue;
}

static void deadline_in(long milliseconds, struct timespec *deadline)
{
    clock_gettime(CLOCK_REALTIME, deadline);
    deadline->tv_sec += milliseconds / 1000;
    deadline->tv_nsec += milliseconds % 1000 * 1000000;
    if (deadline->tv_nsec >= 1000000000) {
        deadline->tv_sec++;
        deadline->tv_nsec -= 1000000000;
    }
}

/* What a failed call means; 0: try again. */
static int pq_failure(int queue, const char *what, int block, int *result)
{
    if (errno == EINTR && !proc_stopping()) {
        return 0;
    }
    if (errno == ETIMEDOUT) {
        *result = block ? IPC_TIMEOUT : IPC_NOT_NOW;
    } else if (errno == EBADF || errno == EINTR) {
        *result = IPC_CLOSED;
    } else {
        output_failed("cannot %s message queue %d", what, queue);
        *result = IPC_FAILED;
    }
    return 1;
}

/* A deadline in the past never waits; NULL waits for ever. */
static int pq_send(int queue, const void *message, size_t size, const struct timespec *deadline, int block)
{
    int result = IPC_DONE;

    while ((deadline == NULL ? mq_send((mqd_t)queue, message, size, 0)
                             : mq_timedsend((mqd_t)queue, message, size, 0, deadline)) != 0) {
        if (pq_failure(queue, "send to", block, &result)) {
            break;
        }
    }
    return result;
}

static int pq_receive(int queue, void *message, size_t size, const struct timespec *deadline, int block)
{
    int result = IPC_DONE;

    while ((deadline == NULL ? mq_receive((mqd_t)queue, message, size, NULL)
                             : mq_timedreceive((mqd_t)queue, message, size, NULL, deadline)) < 0) {
        if (pq_failure(queue, "receive from", block, &result)) {
            break;
        }
    }
    return result;
}

static const struct timespec past = {.tv_sec = 0, .tv_nsec = 0};

int ipc_pq_snd(int queue, const void *message, size_t size, int block)
{
    return pq_send(queue, message, size, block ? NULL : &past, block);
}

int ipc_pq_snd_timeout(int queue, const void *message, size_t size, long milliseconds)
{
    struct timespec deadline;
    deadline_in(milliseconds, &deadline);
    return pq_send(queue, message, size, &deadline, 1);
}

int ipc_pq_rcv(int queue, void *message, size_t size, int block)
{
    return pq_receive(queue, message, size, block ? NULL : &past, block);
}

int ipc_pq_rcv_timeout(int queue, void *message, size_t size, long milliseconds)
{
    struct timespec deadline;
    deadline_in(milliseconds, &deadline);
    return pq_receive(queue, message, size, &deadline, 1);
}

int ipc_pq_len(int queue)
{
    struct mq_attr about;
    return mq_getattr((mqd_t)queue, &about) == 0 ? (int)about.mq_curmsgs : -1;
}

int ipc_pq_close(int queue)
{
    return mq_close((mqd_t)queue);
}

int ipc_pq_remove(const char *name)
{
    if (mq_unlink(name) != 0 && errno != ENOENT) {
        output_failed("cannot remove message queue %s", name);
        return -1;
    }
    return 0;
}
