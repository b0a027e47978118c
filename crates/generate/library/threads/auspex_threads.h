/* Processes of a Promela model as threads, with the model's own rules for who can move.

   One process runs at a time: it has the turn. It executes whole statements, and at a boundary between two of them it may
   pass the turn on. So whatever a program does is one of the runs of its model. turns.c says more.

   What a process can do where it waits is written down apart from what it does then, in a function of its own: others
   need to know it, too. */
#ifndef AUSPEX_THREADS_H
#define AUSPEX_THREADS_H

#include <assert.h>
#include <stdint.h>
#include <stdio.h>

/* The number of a channel; 0 is none. */
typedef uint8_t ax_chan;

typedef struct ax_process ax_process;

/* What the code of a process may read. */
struct ax_process {
    int pid;
    int at;                   /* the place where it waits; 0 where it can always go on */
    int option;               /* of a selection: the one that was chosen */
    int atomic;               /* others come in between only where this process has to wait */
    int32_t *message;         /* what was received last */
    const int32_t *arguments; /* of `run` */
    const void *view;         /* what its `looks` reads of its variables */
    struct ax_private *own;
};

/* Says what a process can do at its place: ax_can, ax_can_send, ax_can_receive, ax_can_else. */
typedef void ax_looks(ax_process *me);

/* A field of a message that is received: any value, or a certain one. */
struct ax_field {
    int is_given;
    int32_t value;
};
#define AX_ANY { 0, 0 }
#define AX_IS(given) { 1, (given) }

/* The type of a field: so many bits, with a minus if there is a sign. */
typedef int ax_type;

#define ax_count(type, ...) ((int)(sizeof((const type[]){__VA_ARGS__}) / sizeof(type)))
#define ax_fields(...) ax_count(struct ax_field, __VA_ARGS__), (const struct ax_field[]){__VA_ARGS__}
#define ax_values(...) ax_count(int32_t, __VA_ARGS__), (const int32_t[]){__VA_ARGS__}
#define ax_types(...) ax_count(ax_type, __VA_ARGS__), (const ax_type[]){__VA_ARGS__}

/* How a message is received: `?` is 0. */
enum { AX_RANDOM = 1 /* ?? */, AX_KEEP = 2 /* ?<...> */ };

/* ---- the program: written by the generator ---- */

extern const int ax_most_fields; /* of a message */
void ax_globals(void);           /* gives the globals their first values */
void ax_processes(void);         /* starts those that are there from the start */

/* ---- statements ---- */

/* A boundary before a statement that can always run. */
void ax_step(ax_process *me);

/* A place where the process may have to wait: sleeps until it can move and has the turn, chooses among what it can do, and
   carries it out: sends, or receives into me->message. me->option says what it was. */
void ax_wait(ax_process *me, int place, const char *where);

/* The statement that it comes to next begins an atomic: a jump led into the middle of one. */
void ax_atomic_from_here(ax_process *me);

/* Starts a process and gives its number. `me` is who does it. */
int ax_run(ax_process *me, const char *name, int priority, void (*code)(ax_process *), int n, const int32_t *arguments);

/* The first values are set. */
void ax_begin(ax_process *me, ax_looks *looks, const void *view);

/* ---- what it can do: for an ax_looks ---- */

void ax_can(ax_process *me, int option);
void ax_can_send(ax_process *me, int option, ax_chan chan, int sorted, int n, const int32_t *values);
void ax_can_receive(ax_process *me, int option, ax_chan chan, int how, int n, const struct ax_field *fields);
void ax_can_else(ax_process *me, int option);

/* It is all right if the program stops while this process waits here. */
void ax_may_end(ax_process *me);

/* `unless`: what follows belongs to the escape with this number, 1 for the outermost; 0 is the main part. Is there a
   point in looking at it? Not if an escape can be taken. */
int ax_group(ax_process *me, int number);

/* Of what follows, until it is switched off, only the first that can be done counts: the beginning of a d_step. */
void ax_only_first(ax_process *me, int on);

/* Can this process end? Only the youngest one can. */
int ax_is_youngest(const ax_process *me);

/* ---- in a d_step, where nothing may wait ---- */

int ax_could_send(ax_process *me, ax_chan chan);
int ax_could_receive(ax_process *me, ax_chan chan, int how, int n, const struct ax_field *fields);
void ax_send_now(ax_process *me, const char *where, ax_chan chan, int sorted, int n, const int32_t *values);
void ax_receive_now(ax_process *me, const char *where, ax_chan chan, int how, int n, const struct ax_field *fields);

/* ---- in expressions ---- */

int ax_len(ax_chan chan);
int ax_full(ax_chan chan);
int ax_empty(ax_chan chan);
int ax_poll(ax_chan chan, int how, int n, const struct ax_field *fields);
int ax_nr_pr(void);
/* Can nothing else move? */
int ax_timeout(void);
/* Inside of a d_step: could it, when that began? */
int ax_timed_out(const ax_process *me);
/* Of the process with this number. */
int ax_priority(int pid);
void ax_set_priority(const char *where, int pid, int priority);

/* A new channel; it goes with the process that runs. */
ax_chan ax_channel(int capacity, int n, const ax_type *types);

/* One of `low` to `high`. */
int ax_select(int low, int high);

/* ---- what goes wrong ---- */

/* Says so and ends the program, with status 1; gives 0 where a process is only asked what it could receive. */
int ax_fault(const char *where, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `index`, if it is one of an array of this length. */
int model_index(int index, int length, const char *where);
int model_divide(int a, int b, const char *where);
int model_remainder(int a, int b, const char *where);
/* Only the lowest five bits of the distance count. */
int model_shift_left(int a, int distance);
int model_shift_right(int a, int distance);
/* The name of a value of an mtype, `names` being those of 1, 2, ...; of others the number. */
const char *model_name(int value, const char *const names[], int count);

#define ax_assert(condition, where, text)                                                                              \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ax_fault(where, "assertion failed: %s", text);                                                             \
    } while (0)

#ifdef __AUSPEX__
#undef ax_assert
#define ax_assert(condition, where, text) assert(condition)
#endif

#endif
