/* <unistd.h>, <sched.h>, <fcntl.h>: one process without files. Sleeping: time.c. */
#include "runtime.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int fail(int error) {
    errno = error;
    return -1;
}

/* Others may run at any point anyway. */
int sched_yield(void) {
    return 0;
}

int sched_get_priority_max(int policy) {
    (void)policy;
    return 99;
}

int sched_get_priority_min(int policy) {
    (void)policy;
    return 0;
}

int sched_getcpu(void) {
    return 0;
}

int __sched_cpucount(size_t size, const cpu_set_t *set) {
    int count = 0;
    for (size_t i = 0; i < size * 8; i++)
        count += ((const unsigned char *)set)[i / 8] >> (i % 8) & 1;
    return count;
}

pid_t getpid(void) {
    return 1000;
}

pid_t getppid(void) {
    return 1;
}

/* The first thread has the number of the process. */
pid_t gettid(void) {
    return 1000 + __auspex_thread_self();
}

uid_t getuid(void) {
    return 1000;
}

uid_t geteuid(void) {
    return 1000;
}

gid_t getgid(void) {
    return 1000;
}

gid_t getegid(void) {
    return 1000;
}

pid_t fork(void) {
    return fail(ENOSYS);
}

int getpagesize(void) {
    return 4096;
}

long sysconf(int name) {
    switch (name) {
    case _SC_PAGESIZE:
        return 4096;
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN:
        return 2;
    case _SC_CLK_TCK:
        return 100;
    case _SC_OPEN_MAX:
        return 1024;
    case _SC_THREAD_STACK_MIN:
        return 16384;
    case _SC_THREAD_KEYS_MAX:
        return 1024;
    default:
        return fail(EINVAL);
    }
}

/* ---- files: only the three that are always open ---- */

ssize_t write(int file, const void *bytes, size_t size) {
    if (file != 1 && file != 2)
        return fail(EBADF);
    return fwrite(bytes, 1, size, file == 1 ? stdout : stderr);
}

ssize_t read(int file, void *bytes, size_t size) {
    if (file != 0)
        return fail(EBADF);
    pthread_testcancel();
    return fread(bytes, 1, size, stdin);
}

int close(int file) {
    return file >= 0 && file <= 2 ? 0 : fail(EBADF);
}

int rt_open(const char *path, int flags, ...) SYMBOL(open);
int rt_open(const char *path, int flags, ...) {
    (void)path, (void)flags;
    return fail(ENOENT);
}

int rt_open64(const char *path, int flags, ...) SYMBOL(open64);
int rt_open64(const char *path, int flags, ...) {
    (void)path, (void)flags;
    return fail(ENOENT);
}

int isatty(int file) {
    (void)file;
    errno = ENOTTY;
    return 0;
}

int fsync(int file) {
    return close(file);
}

int unlink(const char *path) {
    (void)path;
    return fail(ENOENT);
}

int access(const char *path, int mode) {
    (void)path, (void)mode;
    return fail(ENOENT);
}

int pipe(int files[2]) {
    (void)files;
    return fail(ENOSYS);
}

int gethostname(char *name, size_t size) {
    if (size < 2)
        return fail(ENAMETOOLONG);
    name[0] = 'h';
    name[1] = 0;
    return 0;
}

/* ---- directories: there is the root ---- */

char *getcwd(char *name, size_t size) {
    if (name && !size) {
        fail(EINVAL);
        return NULL;
    }
    if (size == 1 || (!name && !(name = malloc(size ? size : 2)))) {
        fail(size == 1 ? ERANGE : ENOMEM);
        return NULL;
    }
    name[0] = '/';
    name[1] = 0;
    return name;
}

char *get_current_dir_name(void) {
    return getcwd(NULL, 0);
}

int chdir(const char *path) {
    return strcmp(path, "/") ? fail(ENOENT) : 0;
}

/* ---- there is no room for more files, and the heap is the machine's ---- */

int dup(int file) {
    return fail(file >= 0 && file <= 2 ? EMFILE : EBADF);
}

int dup2(int file, int to) {
    return file == to && file >= 0 && file <= 2 ? to : dup(file);
}

off_t lseek(int file, off_t offset, int from) {
    (void)offset, (void)from;
    return fail(file >= 0 && file <= 2 ? ESPIPE : EBADF);
}

void *sbrk(intptr_t by) {
    (void)by;
    fail(ENOMEM);
    return (void *)-1;
}

/* ---- processors: it is all the same where a thread runs ---- */

int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set) {
    (void)process;
    return __sched_cpucount(size, set) ? 0 : fail(EINVAL);
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
    (void)process;
    memset(set, 0, size);
    *(char *)set = 3; /* as many as sysconf says */
    return 0;
}
