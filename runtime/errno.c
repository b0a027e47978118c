/* errno, strerror. */
#include "runtime.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static _Thread_local int error;

int *__errno_location(void) {
    return &error;
}

static const char *const messages[] = {
    [0] = "Success",
    [EPERM] = "Operation not permitted",
    [ENOENT] = "No such file or directory",
    [ESRCH] = "No such process",
    [EINTR] = "Interrupted system call",
    [EIO] = "Input/output error",
    [EBADF] = "Bad file descriptor",
    [EAGAIN] = "Resource temporarily unavailable",
    [ENOMEM] = "Cannot allocate memory",
    [EACCES] = "Permission denied",
    [EBUSY] = "Device or resource busy",
    [EEXIST] = "File exists",
    [EINVAL] = "Invalid argument",
    [ENOSPC] = "No space left on device",
    [EDOM] = "Numerical argument out of domain",
    [ERANGE] = "Numerical result out of range",
    [EDEADLK] = "Resource deadlock avoided",
    [ENOSYS] = "Function not implemented",
    [EOVERFLOW] = "Value too large for defined data type",
    [ETIMEDOUT] = "Connection timed out",
    [EOWNERDEAD] = "Owner died",
    [ENOTRECOVERABLE] = "State not recoverable",
};

static const char *message(int number) {
    const char *text = NULL;
    if (number >= 0 && (size_t)number < sizeof messages / sizeof *messages)
        text = messages[number];
    return text ? text : "Unknown error";
}

char *strerror(int number) {
    return (char *)message(number);
}

char *strerror_l(int number, locale_t locale) {
    (void)locale;
    return (char *)message(number);
}

const char *strerrordesc_np(int number) {
    return message(number);
}

/* The one of GNU, and the one of POSIX. */
char *rt_strerror_r(int number, char *buffer, size_t size) SYMBOL(strerror_r);
char *rt_strerror_r(int number, char *buffer, size_t size) {
    (void)buffer, (void)size;
    return (char *)message(number);
}

int __xpg_strerror_r(int number, char *buffer, size_t size);
int __xpg_strerror_r(int number, char *buffer, size_t size) {
    const char *text = message(number);
    size_t length = strlen(text);
    if (!size)
        return ERANGE;
    size_t kept = length < size ? length : size - 1;
    memcpy(buffer, text, kept);
    buffer[kept] = 0;
    return kept < length ? ERANGE : 0;
}
