/* What the files of the library share. */
#ifndef AUSPEX_THREADS_INSIDE_H
#define AUSPEX_THREADS_INSIDE_H

#include "auspex_threads.h"

#include <pthread.h>
#include <stddef.h>

enum { MOST_PROCESSES = 255, MOST_CHANNELS = 255 };

struct channel {
    int capacity, width, length;
    ax_type *types;
    int32_t *data;
};

struct ax_private {
    ax_process shown; /* to its code */
    const char *name, *where;
    void (*code)(ax_process *);
    ax_looks *looks;
    pthread_cond_t awake;
    int priority;
    int channels;      /* how many there were before it */
    int32_t *received; /* room for what `message` shows */
    int32_t *arguments;
    int met;       /* a sender has given it a message: it goes on behind the receive */
    int timed_out; /* the step that it makes began with a timeout */
    int jumped_in; /* into an atomic */
};

/* Everything that is shared. Only who has the turn touches it, and what it does is guarded by the mutex. */
extern struct ax_all {
    pthread_mutex_t mutex;
    struct ax_private *turn;    /* whose it is */
    struct ax_private *creator; /* waits for a new process to come to its first boundary */
    struct ax_private *partner; /* of a handshake: it goes on as soon as the sender stands behind its statement */
    struct look *look;          /* that is taken */
    int count, channels, timeout;
    int32_t *values; /* of the message that is being sent */
    struct ax_private *process[MOST_PROCESSES];
    struct channel *channel[MOST_CHANNELS];
    struct ax_private main;
} ax_the;

/* ---- looks.c: what a process can do ---- */

struct option {
    int number;
    enum { ALONE, SEND, RECEIVE, MEET } kind;
    int chan;
    int slot;  /* of the queue; of a send: is it sorted? */
    int keeps;
    struct ax_private *partner;
    int partners; /* the option that the partner takes */
};

/* How many options there are. That with the number `wanted` is described, the values of a send in ax_the.values. */
int ax_options(struct ax_private *p, int wanted, struct option *option);
int ax_can_move(struct ax_private *p);
/* Is it all right that it waits here for ever? */
int ax_ends_well(struct ax_private *p);
/* Who was looked at, or NULL. */
struct ax_private *ax_looked_at(void);
/* Is a process only asked whether it would receive a message? */
int ax_is_asked(void);

/* ---- channels.c ---- */

/* NULL, if there is none and a process is only asked. */
struct channel *ax_channel_of(int chan);
int ax_fits_width(const struct channel *q, int n);
int32_t ax_cut(ax_type type, int32_t value);
/* The place of the message that fits, or -1. */
int ax_find(const struct channel *q, int how, const struct ax_field *fields);
void ax_insert(struct channel *q, int sorted, const int32_t *values);
void ax_take(struct ax_private *me, struct channel *q, int slot, int keeps);
void ax_free_channels(int left);

/* ---- turns.c: who moves ---- */

void ax_begin_turns(void);
int ax_choose(int n);
/* A turn for a certain process, while this one waits for its own. */
void ax_lend_turn(struct ax_private *me, struct ax_private *to);
void ax_await_turn(struct ax_private *me);
/* The process has ended. */
void ax_leave(void);
/* All processes have been started: the first turn. Never returns. */
_Noreturn void ax_first_turn(void);

/* ---- faults.c ---- */

_Noreturn void ax_stop(int status);
/* `kind` is what Auspex calls it. */
int ax_fail(const char *kind, const char *where, const char *format, ...) __attribute__((format(printf, 3, 4)));
_Noreturn void ax_deadlock(void);
void *ax_allocate(size_t number, size_t size);

#endif
