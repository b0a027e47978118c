/* What Promela promises and C does not. */
#define _POSIX_C_SOURCE 200809L

#include "genlibmodel.h"

#include "genliboutput.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_FAULT = 1, STATUS_USAGE = 2, STATUS_BLOCKED = 3 };

static const long SHORTEST_WAIT = 50000;   /* nanoseconds */
static const long LONGEST_WAIT = 10000000; /* nanoseconds */

/* What could not be written must not go unnoticed. */
static void check_output(void)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        output_error("what was printed could not be written");
        _exit(STATUS_FAULT);
    }
}

void model_start(int argc, char *argv[], int count, const char *names)
{
    /* Somebody may read along, and others may write to the same place. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    atexit(check_output);
    if (argc - 1 != count) {
        fprintf(stderr, "usage: %s%s%s\n", argc > 0 ? argv[0] : "program", *names ? " " : "", names);
        exit(STATUS_USAGE);
    }
}

int model_argument(char *argv[], int number)
{
    const char *text = argv[number];
    char *end = NULL;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < INT_MIN || value > INT_MAX) {
        output_error("argument %d is no number of an int: `%s`", number, text);
        exit(STATUS_USAGE);
    }
    return (int)value;
}

void model_blocked(const char *process, const char *where)
{
    fflush(stdout);
    output_error("%s is blocked for ever at %s", process, where);
    const char *choice = getenv("GENERATE_BLOCKED");
    if (choice != NULL && strcmp(choice, "exit") == 0) {
        exit(STATUS_BLOCKED);
    }
    for (;;) {
        pause();
    }
}

void model_finished(void)
{
    exit(EXIT_SUCCESS);
}

void model_wait(unsigned *turns)
{
    long nanoseconds = LONGEST_WAIT;
    if (*turns < 8) {
        nanoseconds = SHORTEST_WAIT << *turns;
        ++*turns;
    }
    fflush(stdout);
    /* A signal may have changed what is waited for: no need to sleep on. */
    struct timespec interval = {.tv_sec = 0, .tv_nsec = nanoseconds < LONGEST_WAIT ? nanoseconds : LONGEST_WAIT};
    nanosleep(&interval, NULL);
}

void model_not_started(unsigned *turns)
{
    if (errno != EAGAIN && errno != ENOMEM) {
        exit(STATUS_FAULT);
    }
    model_wait(turns);
}

void model_bad_index(int index, int length, const char *where)
{
    fflush(stdout);
    output_error("%s: index %d of an array of %d elements", where, index, length);
    exit(STATUS_FAULT);
}

void model_zero_divisor(const char *where)
{
    fflush(stdout);
    output_error("%s: division by zero", where);
    exit(STATUS_FAULT);
}

const char *model_name(int value, const char *const names[], int count)
{
    /* Several may be printed by one call. */
    static char numbers[8][16];
    static unsigned next;
    if (value >= 1 && value <= count) {
        return names[value - 1];
    }
    char *number = numbers[next++ % 8];
    snprintf(number, sizeof numbers[0], "%d", value);
    return number;
}
