/* What goes wrong, and numbers as in the model. */
#include "inside.h"

#include <stdarg.h>
#include <stdlib.h>

_Noreturn void ax_stop(int status) {
    fflush(stdout);
    exit(status);
}

/* Who it happens to: who is looked at, or who moves. */
static struct ax_private *who(void) {
    struct ax_private *looked_at = ax_looked_at();
    return looked_at ? looked_at : ax_the.turn;
}

#ifdef __AUSPEX__
/* The program ends with a fault of this kind: one of those that Auspex knows. */
_Noreturn void __auspex_fault(const char *kind, const char *message);

static _Noreturn void tell(const char *kind, const char *text) {
    __auspex_fault(kind, text);
}
#else
static _Noreturn void tell(const char *kind, const char *text) {
    (void)kind;
    fflush(stdout);
    fputs(text, stderr);
    fputc('\n', stderr);
    ax_stop(1);
}
#endif

enum { MOST_TEXT = 4096 };

/* More of a text of which `length` characters are there. */
static int more(char *text, int length, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int more(char *text, int length, const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    int added = vsnprintf(text + length, (size_t)(MOST_TEXT - length), format, rest);
    va_end(rest);
    return length + added < MOST_TEXT ? length + added : MOST_TEXT - 1;
}

static void say(const char *kind, const char *where, const char *format, va_list rest) {
    char text[MOST_TEXT];
    const struct ax_private *p = who();
    if (!where && p)
        where = p->where;
    int length = where ? more(text, 0, "%s: ", where) : 0;
    int added = vsnprintf(text + length, (size_t)(MOST_TEXT - length), format, rest);
    length = length + added < MOST_TEXT ? length + added : MOST_TEXT - 1;
    if (p && p->name)
        more(text, length, "\n  in %s[%d]", p->name, p->shown.pid);
    tell(kind, text);
}

/* Whoever is only asked what it could receive does not fail: it has not moved. */
int ax_fault(const char *where, const char *format, ...) {
    if (ax_is_asked())
        return 0;
    va_list rest;
    va_start(rest, format);
    say("misuse", where, format, rest);
    va_end(rest);
    return 0;
}

int ax_fail(const char *kind, const char *where, const char *format, ...) {
    if (ax_is_asked())
        return 0;
    va_list rest;
    va_start(rest, format);
    say(kind, where, format, rest);
    va_end(rest);
    return 0;
}

_Noreturn void ax_deadlock(void) {
    char text[MOST_TEXT];
    int length = more(text, 0, "deadlock: nobody can move");
    for (int i = ax_the.count - 1; i >= 0; i--) {
        struct ax_private *p = ax_the.process[i];
        if (ax_the.count - i > 30) {
            length = more(text, length, "\n  and %d more", i + 1);
            break;
        }
        const char *allowed = ax_ends_well(p) ? " (as it may)" : "";
        length = more(text, length, "\n  %s[%d] waits%s at %s", p->name, i, allowed, p->where);
    }
    tell("deadlock", text);
}

void *ax_allocate(size_t number, size_t size) {
    void *memory = calloc(number ? number : 1, size);
    if (!memory) {
        fputs("out of memory\n", stderr);
        ax_stop(1);
    }
    return memory;
}

/* ---- numbers ---- */

int model_index(int index, int length, const char *where) {
    if (index >= 0 && index < length)
        return index;
    return ax_fail("bounds", where, "index %d is out of range: there are %d elements", index, length);
}

int model_divide(int a, int b, const char *where) {
    if (b == 0)
        return ax_fail("division", where, "division by zero");
    return b == -1 ? (int)(0u - (unsigned)a) : a / b;
}

int model_remainder(int a, int b, const char *where) {
    if (b == 0)
        return ax_fail("division", where, "division by zero");
    return b == -1 ? 0 : a % b;
}

int model_shift_left(int a, int distance) {
    return (int)((unsigned)a << (distance & 31));
}

int model_shift_right(int a, int distance) {
    return a >> (distance & 31);
}

const char *model_name(int value, const char *const names[], int count) {
    /* Several may be printed at once. */
    static char numbers[8][16];
    static int next;
    if (value > 0 && value <= count)
        return names[value - 1];
    next = (next + 1) % 8;
    snprintf(numbers[next], sizeof numbers[next], "%d", value);
    return numbers[next];
}
