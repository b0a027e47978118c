#define _GNU_SOURCE
#include "genlibproc.h"
#include "genliboutput.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define MAX_ARGUMENTS 64
#define ARGUMENT_SIZE 24
#define MAX_CHILDREN 4096

/* Changed by the handler of SIGCHLD: everybody else blocks that signal first. */
static pid_t children[MAX_CHILDREN];
static int child_count;
static volatile sig_atomic_t stopping;
static int stop_pipe[2] = {-1, -1};

static void block_children(sigset_t *before)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, before);
}

static void unblock_children(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}

static void forget_child(pid_t pid)
{
    for (int i = 0; i < child_count; i++) {
        if (children[i] == pid) {
            children[i] = children[--child_count];
            return;
        }
    }
}

/* A child that was started and not waited for yet, or 0. */
static pid_t any_child(void)
{
    sigset_t before;
    pid_t pid;

    block_children(&before);
    pid = child_count == 0 ? 0 : children[child_count - 1];
    unblock_children(&before);
    return pid;
}

/* Who started us may ignore the end of children, and that is inherited: then nobody could ever wait for ours. */
static void expect_children(void)
{
    struct sigaction now;

    if (sigaction(SIGCHLD, NULL, &now) == 0 && now.sa_handler == SIG_IGN) {
        signal(SIGCHLD, SIG_DFL);
    }
}

/* The path of a program next to the running one. */
static int path_of(const char *program, char *path, size_t size)
{
    const char *directory = getenv("GENERATE_DIRECTORY");
    const char *slash = strrchr(program, '/');
    const char *name = slash == NULL ? program : slash + 1;
    char own[PATH_MAX];
    ssize_t length;
    int needed;

    if (directory == NULL || directory[0] == '\0') {
        length = readlink("/proc/self/exe", own, sizeof own - 1);
        if (length < 0) {
            /* No /proc: the current directory is the best guess. */
            memcpy(own, "./", 3);
            length = 2;
        }
        own[length] = '\0';
        *strrchr(own, '/') = '\0';
        directory = own;
    }
    needed = snprintf(path, size, "%s/%s", directory, name);
    if (needed < 0 || (size_t)needed >= size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return 0;
}

/* Children start with the usual reactions to signals, and none blocked. */
static int spawn(pid_t *pid, const char *path, char *const *arguments)
{
    posix_spawnattr_t attributes;
    sigset_t usual, none;
    int problem = posix_spawnattr_init(&attributes);

    if (problem != 0) {
        return problem;
    }
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGCHLD);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    problem = posix_spawn(pid, path, NULL, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    return problem;
}

int run(const char *program, const char *format, ...)
{
    char path[PATH_MAX];
    char numbers[MAX_ARGUMENTS][ARGUMENT_SIZE];
    char *arguments[MAX_ARGUMENTS + 2];
    int count = 0, problem;
    sigset_t before;
    va_list values;
    pid_t pid = 0;

    if (path_of(program, path, sizeof path) != 0) {
        output_failed("cannot start %s", program);
        return 0;
    }
    arguments[0] = path;
    va_start(values, format);
    for (const char *letter = format; *letter != '\0' && count < MAX_ARGUMENTS; letter++) {
        switch (*letter) {
        case 'd':
        case 'i':
            snprintf(numbers[count], ARGUMENT_SIZE, "%d", va_arg(values, int));
            arguments[1 + count] = numbers[count];
            count++;
            break;
        case 'l':
            snprintf(numbers[count], ARGUMENT_SIZE, "%ld", va_arg(values, long));
            arguments[1 + count] = numbers[count];
            count++;
            break;
        case 's':
            arguments[1 + count] = va_arg(values, char *);
            count++;
            break;
        default: /* separators */
            break;
        }
    }
    va_end(values);
    arguments[1 + count] = NULL;

    /* What is still in our buffers must not come out twice, nor after what the child says. */
    fflush(NULL);
    expect_children();
    block_children(&before);
    if (child_count == MAX_CHILDREN) {
        problem = EAGAIN;
    } else {
        problem = spawn(&pid, path, arguments);
        if (problem == 0) {
            children[child_count++] = pid;
        }
    }
    unblock_children(&before);
    if (problem != 0) {
        errno = problem;
        output_failed("cannot start %s", path);
        return 0;
    }
    return (int)pid;
}

static int exit_code(int status)
{
    if (WIFSIGNALED(status)) {
        return 128 + WTERMSIG(status);
    }
    return WEXITSTATUS(status);
}

int proc_wait(int pid)
{
    sigset_t before;
    int status;

    while (waitpid((pid_t)pid, &status, 0) < 0) {
        if (errno != EINTR || stopping) {
            return -1;
        }
    }
    block_children(&before);
    forget_child((pid_t)pid);
    unblock_children(&before);
    return exit_code(status);
}

int proc_wait_all(void)
{
    int highest = -1;
    sigset_t before;
    pid_t pid;

    while ((pid = any_child()) != 0) {
        int result = proc_wait((int)pid);
        if (result > highest) {
            highest = result;
        }
        if (result < 0 && errno == EINTR) {
            return -1;
        }
        if (result < 0) { /* somebody else has collected it, the handler of SIGCHLD for one */
            block_children(&before);
            forget_child(pid);
            unblock_children(&before);
        }
    }
    return highest;
}

static void collect(int signal)
{
    int before = errno;
    int i = 0;

    (void)signal;
    /* One by one: processes that others have started are not ours to collect. */
    while (i < child_count) {
        pid_t ended = waitpid(children[i], NULL, WNOHANG);
        if (ended == 0 || (ended < 0 && errno == EINTR)) {
            i++;
        } else {
            children[i] = children[--child_count];
        }
    }
    errno = before;
}

int proc_children(void)
{
    sigset_t before;
    int count;

    block_children(&before);
    collect(SIGCHLD);
    count = child_count;
    unblock_children(&before);
    return count;
}

void proc_collect(void)
{
    struct sigaction action = {.sa_handler = collect, .sa_flags = SA_NOCLDSTOP | SA_RESTART};

    sigemptyset(&action.sa_mask);
    sigaction(SIGCHLD, &action, NULL);
    (void)proc_children();
}

int proc_signal_children(int signal)
{
    sigset_t before;
    int count;

    block_children(&before);
    count = child_count;
    for (int i = 0; i < count; i++) {
        kill(children[i], signal);
    }
    unblock_children(&before);
    return count;
}

static void stop(int signal)
{
    int before = errno;

    (void)signal;
    stopping = 1;
    if (stop_pipe[1] >= 0 && write(stop_pipe[1], "", 1) < 0) {
        /* It is full, and so readable already. */
    }
    errno = before;
}

void proc_catch_stop(void)
{
    /* Without SA_RESTART: whoever waits is to wake up. */
    struct sigaction action = {.sa_handler = stop};

    if (stop_pipe[0] < 0 && pipe(stop_pipe) == 0) {
        for (int i = 0; i < 2; i++) {
            fcntl(stop_pipe[i], F_SETFD, FD_CLOEXEC);
            fcntl(stop_pipe[i], F_SETFL, O_NONBLOCK);
        }
    }
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

int proc_stopping(void)
{
    return stopping;
}

int proc_stop_descriptor(void)
{
    return stop_pipe[0];
}

int proc_supervise(void)
{
    sigset_t stops, before, waiting;
    int highest = 0, told = 0;
    siginfo_t ended;

    proc_catch_stop();
    sigemptyset(&stops);
    sigaddset(&stops, SIGTERM);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGHUP);
    sigaddset(&stops, SIGCHLD);
    sigprocmask(SIG_BLOCK, &stops, &before);
    while (child_count > 0) {
        int i = 0;
        while (i < child_count) {
            int status;
            pid_t pid = waitpid(children[i], &status, WNOHANG);
            if (pid == 0) {
                i++;
                continue;
            }
            if (pid > 0 && exit_code(status) > highest && !told) {
                highest = exit_code(status);
            }
            children[i] = children[--child_count];
        }
        if (child_count == 0) {
            break;
        }
        if (stopping && !told) {
            told = 1;
            proc_signal_children(SIGTERM);
        }
        /* Nothing can be missed between looking and sleeping: the signals are blocked, and stay pending. */
        waiting = stops;
        if (sigwaitinfo(&waiting, &ended) > 0 && ended.si_signo != SIGCHLD) {
            stopping = 1;
        }
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return highest;
}

long proc_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void proc_sleep(long milliseconds)
{
    struct timespec left = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};

    while (nanosleep(&left, &left) != 0 && errno == EINTR && !stopping) {
    }
}

static uint64_t random_state = 88172645463325252u;

void proc_seed(unsigned long seed)
{
    /* Spreads small seeds over all bits (splitmix64). */
    uint64_t mixed = (uint64_t)seed + 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    random_state = (mixed ^ (mixed >> 31)) | 1;
}

int proc_random(int limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return limit <= 1 ? 0 : (int)((random_state >> 16) % (uint64_t)limit);
}

long proc_setting(const char *name, long lowest, long highest, long otherwise)
{
    const char *text = getenv(name);
    char *end;
    long value;

    if (text == NULL || text[0] == '\0') {
        return otherwise;
    }
    errno = 0;
    value = strtol(text, &end, 10);
    if (errno != 0 || *end != '\0' || value < lowest || value > highest) {
        output_error("%s=%s is not a number from %ld to %ld; taking %ld", name, text, lowest, highest, otherwise);
        return otherwise;
    }
    return value;
}
