/* genlibmodel: what Promela promises and C does not.
 *
 * Generated programs call these so that they do what the model does: an index that is out of bounds and a
 * division by zero are reported, arguments are checked, and a process that cannot go on sleeps. `where` is
 * a place in the specification ("file.pch:12"). */
#ifndef GENLIBMODEL_H
#define GENLIBMODEL_H

/* The first call of a program: how many arguments it takes, with their names. A wrong number of them ends
 * it. Lines of standard output are written as soon as they are complete; if that fails, the program ends with 1. */
void model_start(int argc, char *argv[], int count, const char *names);

/* The argument number `number` (from 1) as an int; anything else than a decimal number ends the program. */
int model_argument(char *argv[], int number);

/* This process can never go on: none of its own variables can change any more. Says so once on standard
 * error and sleeps, as the process in the model would; with GENERATE_BLOCKED=exit in the environment it ends
 * with status 3 instead. At an end label the model is content, and the program ends well. */
_Noreturn void model_blocked(const char *process, const char *where);
_Noreturn void model_finished(void);

/* Sleeps before a condition of the implementation (c_expr_IS) is tried again, longer from turn to turn: from
 * 50 microseconds up to 10 milliseconds. `turns` counts the tries and is 0 before the first. Where a call
 * can wait for the event (poll, a receive that blocks), let the specification use that instead. */
void model_wait(unsigned *turns);

/* Sleeps until a condition of the implementation holds. */
#define model_until(condition)               \
    do {                                     \
        unsigned model_turns = 0;            \
        while (!(condition)) {               \
            model_wait(&model_turns);        \
        }                                    \
    } while (0)

/* Sleeps until a process can be started; a program that is not there ends this one. */
#define model_started(call)                  \
    do {                                     \
        unsigned model_turns = 0;            \
        while ((call) == 0) {                \
            model_not_started(&model_turns); \
        }                                    \
    } while (0)
void model_not_started(unsigned *turns);

/* Reports a fault and ends the program with status 1. */
_Noreturn void model_bad_index(int index, int length, const char *where);
_Noreturn void model_zero_divisor(const char *where);

/* The name of a value of an mtype, `names` being those of 1, 2, ...; of others the number. */
const char *model_name(int value, const char *const names[], int count);

static inline int model_index(int index, int length, const char *where)
{
    if (index < 0 || index >= length) {
        model_bad_index(index, length, where);
    }
    return index;
}

static inline int model_divide(int a, int b, const char *where)
{
    if (b == 0) {
        model_zero_divisor(where);
    }
    /* The processor stops at the one quotient that does not fit. */
    return b == -1 ? (int)(0u - (unsigned)a) : a / b;
}

static inline int model_remainder(int a, int b, const char *where)
{
    if (b == 0) {
        model_zero_divisor(where);
    }
    return b == -1 ? 0 : a % b;
}

/* Only the lowest five bits of the distance count. */
static inline int model_shift_left(int a, int distance)
{
    return (int)((unsigned)a << (distance & 31));
}

static inline int model_shift_right(int a, int distance)
{
    return a >> (distance & 31);
}

#endif
