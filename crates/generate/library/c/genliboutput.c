#define _GNU_SOURCE /* program_invocation_short_name */
#include "genliboutput.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_SIZE 1024

static enum output_level level = OUTPUT_MESSAGES;
static int level_known;
static char own_name[64];

void output_set_level(enum output_level wanted)
{
    level = wanted;
    level_known = 1;
}

void output_set_name(const char *name)
{
    snprintf(own_name, sizeof own_name, "%s", name);
}

static enum output_level current_level(void)
{
    static const char *const names[] = {"silent", "errors", "messages", "debug"};
    const char *wanted;

    if (!level_known) {
        level_known = 1;
        wanted = getenv("GENERATE_OUTPUT");
        for (int i = 0; wanted != NULL && i < 4; i++) {
            if (strcmp(wanted, names[i]) == 0) {
                level = (enum output_level)i;
            }
        }
    }
    return level;
}

static const char *name_of_program(void)
{
    if (own_name[0] != '\0') {
        return own_name;
    }
#if defined(__GLIBC__)
    return program_invocation_short_name;
#else
    return "process";
#endif
}

/* One line, by one write. What is too long is cut. */
static void line(const char *format, va_list arguments, const char *reason)
{
    char text[LINE_SIZE];
    size_t used, done = 0;
    int length;

    length = snprintf(text, sizeof text, "%s[%ld]: ", name_of_program(), (long)getpid());
    used = length < 0 ? 0 : (size_t)length;
    length = vsnprintf(text + used, sizeof text - used, format, arguments);
    used += length < 0 ? 0 : (size_t)length;
    if (used < sizeof text && reason != NULL) {
        length = snprintf(text + used, sizeof text - used, ": %s", reason);
        used += length < 0 ? 0 : (size_t)length;
    }
    if (used > sizeof text - 2) {
        used = sizeof text - 2;
    }
    text[used++] = '\n';
    while (done < used) {
        ssize_t written = write(STDERR_FILENO, text + done, used - done);
        if (written < 0 && errno != EINTR) {
            return;
        }
        done += written < 0 ? 0 : (size_t)written;
    }
}

#define SAY(at_least, reason)                                                                                    \
    do {                                                                                                         \
        int before = errno;                                                                                      \
        if (current_level() >= (at_least)) {                                                                     \
            va_list arguments;                                                                                   \
            va_start(arguments, format);                                                                         \
            line(format, arguments, (reason));                                                                   \
            va_end(arguments);                                                                                   \
        }                                                                                                        \
        errno = before;                                                                                          \
    } while (0)

void output_message(const char *format, ...)
{
    SAY(OUTPUT_MESSAGES, NULL);
}

void output_debug(const char *format, ...)
{
    SAY(OUTPUT_DEBUG, NULL);
}

void output_error(const char *format, ...)
{
    SAY(OUTPUT_ERRORS, NULL);
}

void output_failed(const char *format, ...)
{
    SAY(OUTPUT_ERRORS, strerror(before));
}

void output_fatal(const char *format, ...)
{
    SAY(OUTPUT_ERRORS, strerror(before));
    exit(EXIT_FAILURE);
}
