/* The machine, played by one process: threads are coroutines, the schedule is random. The runtime and the programs are linked to
   it with their names changed (see test/run), so that they do not meet the real libc. An atomic section that blocks is undone by
   putting the stack back as it was at its beginning: what it changed elsewhere stays changed, so this also tests the rule that a
   section decides about blocking before it changes anything. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "../hypercalls.h"
#include "native.h"

#define THREADS 8
#define STACK (64 * 1024)
#define TLS 64

struct coroutine {
    int used, blocked; /* blocked: has blocked since anybody else moved */
    int depth;         /* of atomic sections */
    int weak;          /* its last block was a weak one */
    int wake;          /* the next weak block returns */
    int chose;         /* the section has made choices: another time it may not block */
    char *stack, *copy;
    char *low;         /* what is in copy begins here */
    ucontext_t context, section;
    void *tls[TLS];
    void (*entry)(void *);
    void *argument;
};

static struct coroutine threads[THREADS];
static int current;
static ucontext_t scheduler;
static enum { RUN, UNDO, END } request;
static char outcome[200];
static int ended;
static unsigned random_state;
static int wakes;   /* spurious wake-ups, in this run */
static int section_blocks;

static unsigned dice(unsigned n) {
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % n;
}

static void leave_to_scheduler(int what) {
    request = what;
    swapcontext(&threads[current].context, &scheduler);
}

static _Noreturn void end(const char *format, const char *a, const char *b) {
    snprintf(outcome, sizeof outcome, format, a, b);
    ended = 1;
    leave_to_scheduler(END);
    abort();
}

/* ---- sections ---- */

void __auspex_atomic_begin(void) {
    struct coroutine *me = &threads[current];
    if (me->depth++)
        return;
    me->depth = 0;
    leave_to_scheduler(RUN); /* others may come in between */
    me->depth = 1;
    me->chose = 0;
    volatile int again = 0;
    getcontext(&me->section);
    if (again) /* set on the copy of the stack below */
        return;
    again = 1;
    me->low = (char *)__builtin_frame_address(0) - 512;
    memcpy(me->copy, me->low, me->stack + STACK - me->low);
    again = 0;
}

void __auspex_atomic_end(void) {
    threads[current].depth--;
}

static void undo(struct coroutine *c) {
    memcpy(c->low, c->copy, c->stack + STACK - c->low);
    c->depth = 1;
    c->chose = 0;
    c->context = c->section;
}

_Noreturn void __auspex_block(int kind, const void *object, int thread) {
    (void)kind, (void)object;
    if (thread >= 0 && !threads[thread].used)
        end("broken: waits for a thread that is not there%s%s", "", "");
    threads[current].blocked = !threads[current].chose;
    threads[current].weak = 0;
    section_blocks++;
    leave_to_scheduler(UNDO);
    abort();
}

void __auspex_block_weakly(int kind, const void *object) {
    if (threads[current].wake) {
        threads[current].wake = 0;
        wakes++;
        return;
    }
    (void)kind, (void)object;
    threads[current].blocked = !threads[current].chose;
    threads[current].weak = 1;
    leave_to_scheduler(UNDO);
    abort();
}

/* ---- the other hypercalls ---- */

int __auspex_choose(int n) {
    threads[current].chose = 1;
    return dice(n);
}

void __auspex_assume(int condition) {
    if (!condition)
        end("assumed%s%s", "", "");
}

static void begin_thread(void) {
    threads[current].entry(threads[current].argument);
    end("broken: a thread's entry returned%s%s", "", "");
}

int __auspex_thread_create(void (*entry)(void *), void *argument) {
    int n = 0;
    while (threads[n].used)
        n++;
    struct coroutine *c = &threads[n];
    if (!c->stack) {
        c->stack = malloc(STACK);
        c->copy = malloc(STACK + 1024);
    }
    c->used = 1;
    c->blocked = c->depth = c->wake = 0;
    for (int i = 0; i < TLS; i++)
        free(c->tls[i]), c->tls[i] = NULL;
    c->entry = entry;
    c->argument = argument;
    getcontext(&c->context);
    c->context.uc_stack.ss_sp = c->stack;
    c->context.uc_stack.ss_size = STACK;
    makecontext(&c->context, begin_thread, 0);
    return n;
}

int __auspex_thread_self(void) {
    return current;
}

_Noreturn void __auspex_thread_exit(void) {
    threads[current].used = 0;
    leave_to_scheduler(RUN);
    abort();
}

_Noreturn void __auspex_exit(int status) {
    char text[20];
    snprintf(text, sizeof text, "%d", status);
    end("exit %s%s", text, "");
}

_Noreturn void __auspex_fault(const char *kind, const char *message) {
    end("%s: %s", kind, message);
}

void *__auspex_allocate(unsigned long size) {
    return calloc(1, size);
}

static const char *input = "";

int __auspex_stdin(unsigned long at) {
    return at < strlen(input) ? (unsigned char)input[at] : -1;
}

int __auspex_random(void) {
    return -1;
}

void __auspex_note(int kind, const void *object, const char *what) {
    (void)kind, (void)object, (void)what;
}

/* Thread-local variables of the coroutines (-femulated-tls). */
struct emulated {
    size_t size, align;
    void *unused;
    const void *initial;
};

void *__emutls_get_address(const struct emulated *v) {
    static const struct emulated *known[TLS];
    int i = 0;
    while (known[i] && known[i] != v)
        i++;
    known[i] = v;
    void **place = &threads[current].tls[i];
    if (!*place) {
        *place = calloc(1, v->size);
        if (v->initial)
            memcpy(*place, v->initial, v->size);
    }
    return *place;
}

/* ---- a run ---- */

static int pick(void) {
    int ready[THREADS], n = 0, alive = 0, weak[THREADS], weaks = 0;
    for (int i = 0; i < THREADS; i++) {
        alive += threads[i].used;
        if (threads[i].used && !threads[i].blocked)
            ready[n++] = i;
        if (threads[i].used && threads[i].blocked && threads[i].weak)
            weak[weaks++] = i;
    }
    if (weaks && n && !dice(8)) {
        int i = weak[dice(weaks)];
        threads[i].wake = 1;
        return i;
    }
    if (n)
        return ready[dice(n)];
    snprintf(outcome, sizeof outcome, alive ? "deadlock" : "all ended");
    ended = 1;
    return -1;
}

static int run_steps(int steps) {
    while (!ended && steps--) {
        /* a thread in a section goes on: only the outermost begin comes back here */
        current = pick();
        if (current < 0)
            break;
        struct coroutine *c = &threads[current];
        request = RUN;
        swapcontext(&scheduler, &c->context);
        if (request == UNDO) {
            undo(c);
            c->wake = 0;
            continue;
        }
        for (int i = 0; i < THREADS; i++)
            threads[i].blocked = 0;
    }
    return ended;
}

static const struct program *program;

static void main_thread(void *argument) {
    (void)argument;
    program->main();
    end("exit 0%s%s", "", "");
}

const char *native_run(const struct program *p, unsigned seed, const char *stdin_text) {
    program = p;
    random_state = seed * 2654435761u + 1;
    ended = 0;
    input = stdin_text;
    for (int i = 0; i < THREADS; i++)
        threads[i].used = 0;
    restore_runtime();
    __auspex_thread_create(main_thread, NULL);
    if (!run_steps(200000))
        snprintf(outcome, sizeof outcome, "endless");
    return outcome;
}

void native_check(int condition, const char *text) {
    if (!condition)
        end("assertion: %s%s", text, "");
}

/* The runtime's variables are put back before each run: test/run puts them into one section. */
extern char __start_rtdata[], __stop_rtdata[];
static char *saved;

void restore_runtime(void) {
    size_t size = __stop_rtdata - __start_rtdata;
    if (!saved) {
        saved = malloc(size);
        memcpy(saved, __start_rtdata, size);
    }
    memcpy(__start_rtdata, saved, size);
}

unsigned long native_state(void) {
    unsigned long hash = 5381;
    for (char *p = __start_rtdata; p < __stop_rtdata; p++)
        hash = hash * 33 + *p;
    return hash;
}

/* Runs the program under many schedules; every outcome must be among those expected, and each of these must come up. */
static int check(const struct program *p, unsigned runs) {
    char seen[8] = {0};
    for (unsigned seed = 1; seed <= runs; seed++) {
        const char *got = native_run(p, seed, p->input ? p->input : "");
        int i = 0;
        while (p->expected[i] && strcmp(p->expected[i], got))
            i++;
        if (!p->expected[i]) {
            printf("%s: seed %u gives \"%s\"\n", p->name, seed, got);
            return 1;
        }
        seen[i] = 1;
    }
    for (int i = 0; p->expected[i]; i++)
        if (!seen[i]) {
            printf("%s: \"%s\" never came up\n", p->name, p->expected[i]);
            return 1;
        }
    printf("%-28s ok\n", p->name);
    return 0;
}

int main(int argc, char **argv) {
    int failed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    unsigned runs = argc > 1 ? atoi(argv[1]) : 3000;
    for (const struct program *p = programs; p->name; p++)
        if (argc < 3 || !strcmp(argv[2], p->name))
            failed |= check(p, p->once ? 1 : runs);
    if (argc < 3)
        failed |= compare_libc();
    printf("%d blocked sections, %d spurious wake-ups\n", section_blocks, wakes);
    return failed;
}
