/* Processes as threads: see auspex_threads.h for what the code of a process calls.

   The baton is `the.current`, guarded by a mutex that its holder never lets go of but to sleep. At a boundary the holder
   either goes on, or picks another process that may be able to move, gives it the baton and sleeps on a condition variable of
   its own until it comes back. A process that has looked and cannot move is *blocked*; a statement that changes something
   makes all others unblocked, so that they look again. When all are blocked, `timeout` becomes true once; if they still
   are, the program is over: a valid end or a deadlock.

   A rendezvous needs to know of others what they could receive where they stand: their *offers*. Only the process itself
   can say, for its variables are its own. So whoever wants to send asks those whose offers are not known: hands them the
   baton with `the.asker` set, and they hand it back at the boundary where they stand, or at the next one that their code comes
   to, without having moved. A handshake completes both sides: the receiver gets the message and the baton, the sender
   stands behind its statement.

   Under Auspex all is as in reality, but for two things. Its choices take the place of random numbers. And what a process
   does between two boundaries is one step to it: nobody else touches what the mutex guards, so to look into the
   middle of it shows nothing new. -DAX_EVERY_ACCESS makes every access a step; with --check race it shows that this is so. */
#define _POSIX_C_SOURCE 200809L
#include "auspex_threads.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __AUSPEX__
#include <auspex.h>
#endif
#if defined(__AUSPEX__) && !defined(AX_EVERY_ACCESS)
static int just_woken;

static void begin_step(void) {
    __auspex_atomic_begin();
    just_woken = 1;
}

static void end_step(void) {
    just_woken = 0;
    __auspex_atomic_end();
}

/* Whoever goes on makes another step: else one could be endless. */
static void next_step(void) {
    if (!just_woken) {
        __auspex_atomic_end();
        __auspex_atomic_begin();
    }
    just_woken = 0;
}
#else
static void begin_step(void) {}
static void end_step(void) {}
static void next_step(void) {}
#endif

enum { MOST_PROCESSES = 255, MOST_CHANNELS = 255 };

struct channel {
    int capacity, width, length;
    ax_type *types;
    int32_t *data;
};

/* Something that a process can do next: by itself, or as the sender of a handshake. */
struct option {
    int number;
    enum { ALONE, SEND, RECEIVE, MEET } kind;
    int chan;
    int slot; /* of the queue; the partner's offer */
    int keeps;
    struct ax_private *partner;
};

/* What a process could receive in a handshake. */
struct offer {
    int number, group, chan;
};

struct ax_private {
    ax_process shown; /* to its code */
    const char *name, *where;
    void (*code)(ax_process *);
    pthread_cond_t awake;
    int channels;      /* how many there were before it */
    int32_t *received; /* room for what `message` shows */
    int32_t *arguments;

    /* What was found since it began to look: its options, with the values of sends. */
    int options, room, group, enabled_group, skips, sends, timed, ends;
    struct option *option;
    int32_t *values;

    /* For others. */
    int offers, offers_known, blocked;
    struct offer *offer;
    struct ax_field *fields;

    int started;   /* its first values are set */
    int timed_out; /* the step that it makes began with a timeout */
    int arrived;   /* others had a chance to move since it came here */
    int jumped_in; /* into an atomic */
    int met;       /* a sender has chosen an offer of it */
};

static struct {
    pthread_mutex_t mutex;
    struct ax_private *current, *asker;
    int count, channels, timeout;
    int handshakes; /* there is a channel for them */
    struct ax_private *process[MOST_PROCESSES];
    struct channel *channel[MOST_CHANNELS];
    struct ax_private main;
#ifndef __AUSPEX__
    uint32_t random;
#endif
} the = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* ---- chance ---- */

#ifdef __AUSPEX__
static int choose(int n) {
    return n > 1 ? __auspex_choose(n) : 0;
}

static void begin_chance(void) {}
static int stays(void) {
    return 0;
}
#else
static int choose(int n) {
    the.random ^= the.random << 13;
    the.random ^= the.random >> 17;
    the.random ^= the.random << 5;
    return (int)(the.random % (uint32_t)n);
}

static void begin_chance(void) {
    const char *seed = getenv("AUSPEX_SEED");
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    the.random = seed ? (uint32_t)strtoul(seed, NULL, 10) : (uint32_t)(now.tv_nsec ^ now.tv_sec);
    the.random = the.random * 2654435761u ^ 0x9e3779b9u;
    if (!the.random)
        the.random = 1;
    for (int i = 0; i < 8; i++)
        (void)choose(2);
}

/* To switch costs time: who can go on mostly does. */
static int stays(void) {
    return choose(4) != 0;
}
#endif

/* ---- what goes wrong ---- */

static _Noreturn void stop(int status) {
    fflush(stdout);
#ifdef __AUSPEX__
    if (status)
        abort();
#endif
    exit(status);
}

int ax_fault(const char *where, const char *format, ...) {
    /* Whoever is only asked what it could receive does not fail: it has not moved. */
    if (the.asker && the.current->started)
        return 0;
    va_list rest;
    fflush(stdout);
    if (where)
        fprintf(stderr, "%s: ", where);
    va_start(rest, format);
    vfprintf(stderr, format, rest);
    va_end(rest);
    fputc('\n', stderr);
    if (the.current && the.current->name)
        fprintf(stderr, "  in %s[%d]\n", the.current->name, the.current->shown.pid);
    stop(1);
}

int model_index(int index, int length, const char *where) {
    if (index >= 0 && index < length)
        return index;
    return ax_fault(where, "index %d is out of range: there are %d elements", index, length);
}

int model_divide(int a, int b, const char *where) {
    if (b == 0)
        return ax_fault(where, "division by zero");
    return b == -1 ? (int)(0u - (unsigned)a) : a / b;
}

int model_remainder(int a, int b, const char *where) {
    if (b == 0)
        return ax_fault(where, "division by zero");
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

static void *allocate(size_t number, size_t size) {
    void *memory = calloc(number ? number : 1, size);
    if (!memory) {
        fputs("out of memory\n", stderr);
        stop(1);
    }
    return memory;
}

/* ---- the baton ---- */

static void sleep_until_back(struct ax_private *me) {
    while (the.current != me)
        pthread_cond_wait(&me->awake, &the.mutex);
    begin_step();
}

/* Gives the baton to another process, to move or only to tell `asker` its offers, and sleeps until it is back. */
static void hand_over(struct ax_private *me, struct ax_private *to, struct ax_private *asker) {
    the.current = to;
    the.asker = asker;
    pthread_cond_signal(&to->awake);
    end_step();
    sleep_until_back(me);
}

/* Anybody who may be able to move; NULL if nobody is. */
static struct ax_private *pick(void) {
    int ready = 0;
    for (int i = 0; i < the.count; i++)
        ready += !the.process[i]->blocked;
    if (!ready)
        return NULL;
    int left = choose(ready);
    for (int i = 0;; i++)
        if (!the.process[i]->blocked && left-- == 0)
            return the.process[i];
}

static void print_who_waits(void) {
#ifdef __AUSPEX__
    assert(!"deadlock: nobody can move");
#endif
    fflush(stdout);
    fputs("deadlock: nobody can move\n", stderr);
    for (int i = the.count - 1; i >= 0; i--) {
        const struct ax_private *p = the.process[i];
        if (the.count - i > 30) {
            fprintf(stderr, "  and %d more\n", i + 1);
            break;
        }
        fprintf(stderr, "  %s[%d] waits%s at %s\n", p->name, i, p->ends ? " (as it may)" : "", p->where);
    }
}

/* Nobody can move: is it time for a timeout? If not, the program is over. */
static struct ax_private *pick_after_timeout(void) {
    int ends = 1;
    for (int i = 0; i < the.count; i++) {
        struct ax_private *p = the.process[i];
        ends &= p->ends;
        if (!the.timeout && p->timed)
            p->blocked = p->offers_known = 0;
    }
    the.timeout = 1;
    struct ax_private *next = pick();
    if (next)
        return next;
    if (!ends)
        print_who_waits();
    stop(!ends);
}

static struct ax_private *next_to_move(void) {
    struct ax_private *next = pick();
    return next ? next : pick_after_timeout();
}

static void give_back(struct ax_private *me) {
    hand_over(me, the.asker, NULL);
}

void ax_changed(void) {
    for (int i = 0; i < the.count; i++)
        the.process[i]->blocked = the.process[i]->offers_known = 0;
}

/* Forgets what was found. */
static void forget(struct ax_private *me) {
    memset(me->option, 0, sizeof *me->option * (size_t)me->options);
    memset(me->values, 0, sizeof *me->values * (size_t)(me->options * ax_most_fields));
    me->options = me->group = me->enabled_group = me->skips = me->sends = me->timed = me->ends = 0;
    me->offers_known = 0;
    memset(me->offer, 0, sizeof *me->offer * (size_t)me->offers);
    memset(me->fields, 0, sizeof *me->fields * (size_t)(me->offers * ax_most_fields));
    me->offers = 0;
}

/* A message is read where it was received, and no later. */
static void forget_message(struct ax_private *me) {
    memset(me->received, 0, sizeof *me->received * (size_t)ax_most_fields);
    me->shown.option = 0;
}

/* Tells others where it stands. Who waits for somebody to receive looks again. */
static void publish(struct ax_private *me, const char *where) {
    me->where = where;
    if (me->offers_known)
        return;
    me->offers_known = the.handshakes && !me->skips;
    if (me->offers || me->skips)
        for (int i = 0; i < the.count; i++)
            if (the.process[i] != me && the.process[i]->sends)
                the.process[i]->blocked = 0;
}

/* From here on the process moves. */
static void move(struct ax_private *me) {
    next_step();
    me->timed_out = the.timeout;
    the.timeout = 0;
    me->arrived = me->blocked = 0;
    if (me->jumped_in)
        me->shown.atomic = 1;
    me->jumped_in = 0;
}

static void offer_nothing(struct ax_private *me) {
    while (the.asker) {
        me->offers_known = the.handshakes;
        give_back(me);
    }
}

static void boundary(struct ax_private *me) {
    forget_message(me);
    me->arrived = 1;
    me->where = NULL;
    offer_nothing(me);
    if (!me->shown.atomic && !stays()) {
        struct ax_private *next = pick();
        me->offers_known = the.handshakes;
        if (next != me)
            hand_over(me, next, NULL);
        offer_nothing(me);
    }
    me->offers_known = 0;
    move(me);
}

void ax_step(ax_process *me) {
    boundary(me->own);
    ax_changed();
}

void ax_look(ax_process *me) {
    boundary(me->own);
}

void ax_atomic_from_here(ax_process *me) {
    me->own->jumped_in = 1;
}

/* ---- channels ---- */

static struct channel *channel(int chan) {
    if (chan == 0)
        ax_fault(NULL, "use of an uninitialised channel");
    else if (chan > the.channels)
        ax_fault(NULL, "there is no channel with the number %d", chan);
    else
        return the.channel[chan - 1];
    return NULL;
}

ax_chan ax_channel(int capacity, int n, const ax_type *types) {
    if (the.channels == MOST_CHANNELS)
        ax_fault(NULL, "more than %d channels", MOST_CHANNELS);
    struct channel *new = allocate(1, sizeof *new);
    the.handshakes |= !capacity;
    new->capacity = capacity;
    new->width = n;
    new->types = allocate((size_t)n, sizeof *types);
    memcpy(new->types, types, sizeof *types * (size_t)n);
    new->data = allocate((size_t)capacity * (size_t)n, sizeof *new->data);
    the.channel[the.channels++] = new;
    return (ax_chan)the.channels;
}

static void free_channels(int left) {
    while (the.channels > left) {
        struct channel *old = the.channel[--the.channels];
        the.channel[the.channels] = NULL;
        free(old->types);
        free(old->data);
        free(old);
    }
}

static int fits_width(const struct channel *q, int n) {
    if (q->width == n)
        return 1;
    return ax_fault(NULL, "%d fields given, but the channel has %d", n, q->width);
}

static int32_t cut(ax_type type, int32_t value) {
    if (type == -16)
        return (int16_t)value;
    return type == -32 || type >= 32 ? value : (int32_t)((uint32_t)value & ((1u << type) - 1));
}

static int fits(const struct ax_field *fields, const int32_t *message, int n) {
    for (int i = 0; i < n; i++)
        if (fields[i].is_given && fields[i].value != message[i])
            return 0;
    return 1;
}

static int32_t *at(const struct channel *q, int slot) {
    return q->data + slot * q->width;
}

/* The place of the message that fits, or -1. */
static int find(const struct channel *q, int how, const struct ax_field *fields) {
    int most = (how & AX_RANDOM) || q->length < 1 ? q->length : 1;
    for (int slot = 0; slot < most; slot++)
        if (fits(fields, at(q, slot), q->width))
            return slot;
    return -1;
}

static int is_greater(const int32_t *message, const int32_t *than, int n) {
    for (int i = 0; i < n; i++)
        if (message[i] != than[i])
            return message[i] > than[i];
    return 0;
}

static void insert(struct channel *q, int sorted, const int32_t *values) {
    int slot = q->length;
    if (sorted)
        for (slot = 0; slot < q->length && !is_greater(at(q, slot), values, q->width);)
            slot++;
    memmove(at(q, slot) + q->width, at(q, slot), sizeof(int32_t) * (size_t)((q->length - slot) * q->width));
    for (int i = 0; i < q->width; i++)
        at(q, slot)[i] = cut(q->types[i], values[i]);
    q->length++;
    ax_changed();
}

static void take(struct ax_private *me, struct channel *q, int slot, int keeps) {
    memcpy(me->received, at(q, slot), sizeof(int32_t) * (size_t)q->width);
    ax_changed(); /* at least the variables that it goes to */
    if (keeps)
        return;
    q->length--;
    memmove(at(q, slot), at(q, slot) + q->width, sizeof(int32_t) * (size_t)((q->length - slot) * q->width));
    memset(at(q, q->length), 0, sizeof(int32_t) * (size_t)q->width);
}

int ax_len(ax_chan chan) {
    const struct channel *q = channel(chan);
    return q ? q->length : 0;
}

int ax_full(ax_chan chan) {
    const struct channel *q = channel(chan);
    return q && q->capacity && q->length == q->capacity;
}

int ax_empty(ax_chan chan) {
    return ax_len(chan) == 0;
}

int ax_poll(ax_chan chan, int how, int n, const struct ax_field *fields) {
    const struct channel *q = channel(chan);
    if (!q || !fits_width(q, n))
        return 0;
    if (!q->capacity)
        return ax_fault(NULL, "a rendezvous channel cannot be polled");
    return find(q, how, fields) >= 0;
}

/* ---- looking for something to do ---- */

int ax_group(ax_process *me, int number) {
    struct ax_private *own = me->own;
    own->group = number;
    if (the.asker || !own->options || own->enabled_group == number)
        return 1;
    own->skips = 1;
    return 0;
}

/* A send may find many partners. */
static void make_room(struct ax_private *me) {
    struct option *option = allocate(2 * (size_t)me->room, sizeof *option);
    int32_t *values = allocate(2 * (size_t)(me->room * ax_most_fields), sizeof *values);
    memcpy(option, me->option, sizeof *option * (size_t)me->room);
    memcpy(values, me->values, sizeof *values * (size_t)(me->room * ax_most_fields));
    free(me->option);
    free(me->values);
    me->option = option;
    me->values = values;
    me->room *= 2;
}

static struct option *add(struct ax_private *me, int number) {
    if (me->options && me->enabled_group != me->group)
        return NULL;
    me->enabled_group = me->group;
    if (me->options == me->room)
        make_room(me);
    struct option *option = &me->option[me->options++];
    *option = (struct option){.number = number, .kind = ALONE};
    return option;
}

void ax_can(ax_process *me, int option) {
    if (!the.asker)
        add(me->own, option);
}

void ax_can_else(ax_process *me, int option) {
    if (!me->own->options)
        ax_can(me, option);
}

void ax_may_end(ax_process *me) {
    me->own->ends = 1;
}

int ax_timeout(ax_process *me) {
    me->own->timed = 1;
    return the.timeout;
}

int ax_timed_out(const ax_process *me) {
    return me->own->timed_out;
}

int ax_nr_pr(void) {
    return the.count;
}

static void keep_values(struct ax_private *me, const struct channel *q, const int32_t *values) {
    memcpy(me->values + (me->options - 1) * ax_most_fields, values, sizeof *values * (size_t)q->width);
}

/* Everybody who could receive the message in a handshake; of one whose escape could, only that. */
static void add_partners(struct ax_private *me, int number, int chan, const struct channel *q, const int32_t *values) {
    for (int i = 0; i < the.count; i++) {
        struct ax_private *other = the.process[i];
        if (other == me)
            continue;
        if (!other->offers_known)
            hand_over(me, other, me);
        int group = -1;
        for (int j = 0; j < other->offers; j++) {
            const struct offer *offer = &other->offer[j];
            if (offer->chan != chan || (group >= 0 && offer->group != group))
                continue;
            int fit = 1;
            for (int k = 0; k < q->width; k++) {
                const struct ax_field *field = &other->fields[j * ax_most_fields + k];
                fit &= !field->is_given || field->value == cut(q->types[k], values[k]);
            }
            struct option *option = fit ? add(me, number) : NULL;
            if (!option)
                continue;
            group = offer->group;
            *option = (struct option){.number = number, .kind = MEET, .chan = chan, .slot = j, .partner = other};
            keep_values(me, q, values);
        }
    }
}

void ax_can_send(ax_process *me, int number, ax_chan chan, int sorted, int n, const int32_t *values) {
    struct ax_private *own = me->own;
    const struct channel *q = channel(chan);
    if (!q)
        return;
    own->sends |= !q->capacity;
    if (the.asker || (q->capacity && q->length == q->capacity))
        return;
    fits_width(q, n);
    if (!q->capacity) {
        add_partners(own, number, chan, q, values);
        return;
    }
    struct option *option = add(own, number);
    if (!option)
        return;
    *option = (struct option){.number = number, .kind = SEND, .chan = chan, .slot = sorted};
    keep_values(own, q, values);
}

void ax_can_receive(ax_process *me, int number, ax_chan chan, int how, int n, const struct ax_field *fields) {
    struct ax_private *own = me->own;
    const struct channel *q = channel(chan);
    if (!q)
        return;
    if (!q->capacity) {
        if (how & AX_KEEP)
            ax_fault(NULL, "a rendezvous channel cannot be polled");
        else if (fits_width(q, n)) {
            memcpy(own->fields + own->offers * ax_most_fields, fields, sizeof *fields * (size_t)n);
            own->offer[own->offers++] = (struct offer){.number = number, .group = own->group, .chan = chan};
        }
        return;
    }
    int slot = the.asker || !q->length || !fits_width(q, n) ? -1 : find(q, how, fields);
    struct option *option = slot < 0 ? NULL : add(own, number);
    if (option)
        *option = (struct option){
            .number = number, .kind = RECEIVE, .chan = chan, .slot = slot, .keeps = (how & AX_KEEP) != 0};
}

/* ---- doing it ---- */

/* Both sides are done with it: the sender stands behind its statement, the receiver goes on. */
static void meet(struct ax_private *me, const struct option *option, const int32_t *values) {
    struct ax_private *partner = option->partner;
    const struct channel *q = channel(option->chan);
    for (int i = 0; i < q->width; i++)
        partner->received[i] = cut(q->types[i], values[i]);
    partner->shown.option = partner->offer[option->slot].number;
    partner->met = 1;
    ax_changed();
    forget(me);
    hand_over(me, partner, NULL);
}

static int carry_out(struct ax_private *me) {
    int chosen = choose(me->options);
    struct option option = me->option[chosen];
    const int32_t *values = me->values + chosen * ax_most_fields;
    move(me);
    me->shown.option = option.number;
    if (option.kind == SEND)
        insert(channel(option.chan), option.slot, values);
    if (option.kind == RECEIVE)
        take(me, channel(option.chan), option.slot, option.keeps);
    if (option.kind == MEET)
        meet(me, &option, values);
    else
        forget(me);
    return 1;
}

/* The baton is back: either all has to be looked at again, or a handshake was made. */
static int woken(struct ax_private *me) {
    forget(me);
    if (!me->met)
        return 0;
    me->met = 0;
    move(me);
    return 1;
}

int ax_decide(ax_process *shown, const char *where) {
    struct ax_private *me = shown->own;
    if (!me->arrived) {
        forget_message(me);
        me->arrived = 1;
        if (the.asker || (me->options && !shown->atomic && !stays())) {
            publish(me, where);
            struct ax_private *next = the.asker ? the.asker : pick();
            if (next != me) {
                hand_over(me, next, NULL);
                return woken(me);
            }
        }
    } else if (the.asker) {
        publish(me, where);
        give_back(me);
        return woken(me);
    }
    if (me->options)
        return carry_out(me);
    publish(me, where);
    me->blocked = 1;
    struct ax_private *next = next_to_move();
    if (next != me)
        hand_over(me, next, NULL);
    return woken(me);
}

int ax_could_send(ax_process *me, ax_chan chan) {
    (void)me;
    return !ax_full(chan);
}

int ax_could_receive(ax_process *me, ax_chan chan, int how, int n, const struct ax_field *fields) {
    (void)me;
    const struct channel *q = channel(chan);
    return q && q->capacity && fits_width(q, n) && find(q, how, fields) >= 0;
}

void ax_send_now(ax_process *me, const char *where, ax_chan chan, int sorted, int n, const int32_t *values) {
    (void)me;
    struct channel *q = channel(chan);
    fits_width(q, n);
    if (!q->capacity)
        ax_fault(where, "a rendezvous send inside a d_step");
    if (q->length == q->capacity)
        ax_fault(where, "blocks inside a d_step");
    insert(q, sorted, values);
}

void ax_receive_now(ax_process *me, const char *where, ax_chan chan, int how, int n, const struct ax_field *fields) {
    struct channel *q = channel(chan);
    if (!ax_could_receive(me, chan, how, n, fields))
        ax_fault(where, "blocks inside a d_step");
    take(me->own, q, find(q, how, fields), how & AX_KEEP);
}

int ax_select(int low, int high) {
    return low < high ? low + choose(high - low + 1) : low;
}

/* ---- the life of a process ---- */

int ax_is_youngest(const ax_process *me) {
    return me->pid == the.count - 1;
}

static struct ax_private *new_process(const char *name, void (*code)(ax_process *), int n, const int32_t *arguments) {
    size_t options = (size_t)ax_most_options;
    struct ax_private *new = allocate(1, sizeof *new);
    new->shown.pid = the.count;
    new->shown.own = new;
    new->name = name;
    new->code = code;
    new->channels = the.channels;
    new->received = allocate((size_t)ax_most_fields, sizeof *new->received);
    new->arguments = allocate((size_t)n, sizeof *new->arguments);
    if (n)
        memcpy(new->arguments, arguments, sizeof *arguments * (size_t)n);
    new->shown.message = new->received;
    new->shown.arguments = new->arguments;
    new->room = ax_most_options;
    new->option = allocate(options, sizeof *new->option);
    new->values = allocate(options * (size_t)ax_most_fields, sizeof *new->values);
    new->offer = allocate(options, sizeof *new->offer);
    new->fields = allocate(options * (size_t)ax_most_fields, sizeof *new->fields);
    pthread_cond_init(&new->awake, NULL);
    return new;
}

static void free_process(struct ax_private *old) {
    pthread_cond_destroy(&old->awake);
    free(old->received);
    free(old->arguments);
    free(old->option);
    free(old->values);
    free(old->offer);
    free(old->fields);
    free(old);
}

static void *live(void *argument) {
    struct ax_private *me = argument;
    pthread_mutex_lock(&the.mutex);
    sleep_until_back(me);
    me->code(&me->shown);
    /* It is the youngest one, and this is the step with which it ends. */
    the.process[--the.count] = NULL;
    free_channels(me->channels);
    free_process(me);
    if (!the.count)
        stop(0);
    ax_changed();
    the.current = next_to_move();
    pthread_cond_signal(&the.current->awake);
    end_step();
    pthread_mutex_unlock(&the.mutex);
    return NULL;
}

int ax_run(ax_process *me, const char *name, void (*code)(ax_process *), int n, const int32_t *arguments) {
    if (the.count == MOST_PROCESSES)
        ax_fault(NULL, "too many processes (%d at most)", MOST_PROCESSES);
    struct ax_private *new = new_process(name, code, n, arguments);
    the.process[the.count++] = new;
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) || pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) ||
        pthread_create(&thread, &attributes, live, new))
        ax_fault(NULL, "cannot create a thread for %s", name);
    pthread_attr_destroy(&attributes);
    ax_changed();
    struct ax_private *own = me ? me->own : &the.main;
    hand_over(own, new, own);
    return new->shown.pid;
}

void ax_begin(ax_process *me) {
    me->own->started = 1;
    give_back(me->own);
}

int main(void) {
    begin_chance();
    pthread_cond_init(&the.main.awake, NULL);
    pthread_mutex_lock(&the.mutex);
    the.current = &the.main;
    begin_step();
    ax_globals();
    ax_processes();
    if (the.count)
        hand_over(&the.main, next_to_move(), NULL);
    return 0;
}
