/* Who moves.

   The turn is `ax_the.turn`, guarded by a mutex that whoever has it never lets go of but to sleep. At a boundary it goes on,
   or looks for a process that can move, chosen at random, gives it the turn and sleeps on a condition variable of its own
   until it comes back. Nobody is woken who cannot move. When nobody can, `timeout` becomes true; if still nobody can, the
   program is over: a valid end or a deadlock.

   A handshake is made by the sender, which looks for somebody who would receive, and gives it the message. Then it goes on
   to its next boundary, and lets the receiver go on to its own.

   Under Auspex all is as in reality, but for three things. Its choices take the place of random numbers. What a process does
   between two boundaries is one step to it: nobody else touches what the mutex guards, so to look into the middle of it shows
   nothing new. And who has the next turn is not chosen by who had the last: it is left to Auspex's scheduler, by which
   everybody may begin a step who can move. So a state does not depend on who moved last.
   -DAX_EVERY_ACCESS leaves the first only: every access is a step, with mutex, condition variables and all. */
#define _POSIX_C_SOURCE 200809L
#include "inside.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct ax_all ax_the = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* ---- chance ---- */

#ifdef __AUSPEX__
#include <auspex.h>

/* An atomic that goes on is still the same step, until it has made a choice (many would multiply), or for so many boundaries
   (it could be endless). */
enum { LONG_STEP = 64, CHOICE = LONG_STEP };
static int boundaries;

int ax_choose(int n) {
    boundaries += n > 1 ? CHOICE : 0;
    return n > 1 ? __auspex_choose(n) : 0;
}

static void begin_chance(void) {}
#else
static uint32_t chance;

int ax_choose(int n) {
    chance ^= chance << 13;
    chance ^= chance >> 17;
    chance ^= chance << 5;
    return (int)(chance % (uint32_t)n);
}

static void begin_chance(void) {
    const char *seed = getenv("AUSPEX_SEED");
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    chance = seed ? (uint32_t)strtoul(seed, NULL, 10) : (uint32_t)(now.tv_nsec ^ now.tv_sec);
    chance = chance * 2654435761u ^ 0x9e3779b9u;
    if (!chance)
        chance = 1;
    for (int i = 0; i < 8; i++)
        (void)ax_choose(2);
}
#endif

int ax_select(int low, int high) {
    return low < high ? low + ax_choose(high - low + 1) : low;
}

/* ---- who may move ---- */

static int may_move(struct ax_private *p) {
    if (!ax_can_move(p))
        return 0;
    for (int i = 0; i < ax_the.count; i++)
        if (ax_the.process[i]->priority > p->priority && ax_can_move(ax_the.process[i]))
            return 0;
    return 1;
}

/* Somebody who may; NULL if nobody can. */
static struct ax_private *somebody_from(int first) {
    for (int i = 0; i < ax_the.count; i++) {
        struct ax_private *p = ax_the.process[(first + i) % ax_the.count];
        if (may_move(p))
            return p;
    }
    return NULL;
}

/* Somebody who may move. If there is nobody, it is time for a timeout, or the program is over. */
static struct ax_private *somebody(int first) {
    struct ax_private *p = somebody_from(first);
    if (p)
        return p;
    ax_the.timeout = 1;
    p = somebody_from(first);
    if (p)
        return p;
    for (int i = 0; i < ax_the.count; i++)
        if (!ax_ends_well(ax_the.process[i]))
            ax_deadlock();
    ax_stop(0);
}

/* ---- the turn ---- */

#if defined(__AUSPEX__) && !defined(AX_EVERY_ACCESS)
/* In an atomic section: it is undone, and tried again when others have moved. */
_Noreturn void __auspex_block(int kind, const void *object, int thread);
enum { OTHER = 8 };

static void sleep_until_turn(struct ax_private *me) {
    boundaries = 0;
    __auspex_atomic_end();
    __auspex_atomic_begin();
    if (ax_the.turn != me && (ax_the.turn || !may_move(me)))
        __auspex_block(OTHER, NULL, -1);
    ax_the.turn = me;
}

static void wake(struct ax_private *p) {
    (void)p;
}

/* Whoever may move: there is somebody. */
static struct ax_private *next_turn(void) {
    (void)somebody(0);
    return NULL;
}

static int stays(struct ax_private *me) {
    (void)me;
    return 0;
}

/* The same process goes on. */
static void go_on(struct ax_private *me) {
    if (++boundaries >= LONG_STEP)
        sleep_until_turn(me);
}

static void begin_first_step(void) {
    __auspex_atomic_begin();
}

/* A thread that ends takes the section with it. */
static void end_last_step(void) {
    boundaries = 0;
}
#else
static void sleep_until_turn(struct ax_private *me) {
    while (ax_the.turn != me)
        pthread_cond_wait(&me->awake, &ax_the.mutex);
}

static void wake(struct ax_private *p) {
    pthread_cond_signal(&p->awake);
}

static struct ax_private *next_turn(void) {
    return somebody(ax_choose(ax_the.count));
}

/* To switch costs time: who can go on mostly does. */
static int stays(struct ax_private *me) {
    return ax_choose(4) != 0 && may_move(me);
}

static void go_on(struct ax_private *me) {
    (void)me;
}

static void begin_first_step(void) {
    pthread_mutex_lock(&ax_the.mutex);
}

static void end_last_step(void) {
    pthread_mutex_unlock(&ax_the.mutex);
}
#endif

static void give_turn(struct ax_private *to) {
    ax_the.turn = to;
    if (to)
        wake(to);
}

void ax_begin_turns(void) {
    begin_chance();
    begin_first_step();
    ax_the.turn = &ax_the.main;
}

void ax_await_turn(struct ax_private *me) {
    begin_first_step();
    sleep_until_turn(me);
}

void ax_lend_turn(struct ax_private *me, struct ax_private *to) {
    give_turn(to);
    sleep_until_turn(me);
}

void ax_leave(void) {
    give_turn(next_turn());
    end_last_step();
}

_Noreturn void ax_first_turn(void) {
    give_turn(next_turn());
    for (;;)
        sleep_until_turn(&ax_the.main);
}

/* ---- boundaries ---- */

/* Whose turn it is when this process has come to a boundary. */
static struct ax_private *whose_turn(struct ax_private *me) {
    struct ax_private *owed = ax_the.creator ? ax_the.creator : ax_the.partner;
    ax_the.creator = ax_the.partner = NULL;
    if (owed)
        return owed;
    return (me->shown.atomic && may_move(me)) || stays(me) ? me : next_turn();
}

/* Lets others move until it is this one's turn. (All sleep in the same place, however they came there: else it would be
   another state.) */
static void pass_turn_on(struct ax_private *me) {
    struct ax_private *to = whose_turn(me);
    if (to == me)
        go_on(me);
    else
        ax_lend_turn(me, to);
}

/* The sender's part of a handshake. */
static void meet(const struct option *option) {
    struct ax_private *partner = option->partner;
    const struct channel *q = ax_channel_of(option->chan);
    for (int i = 0; i < q->width; i++)
        partner->received[i] = ax_cut(q->types[i], ax_the.values[i]);
    partner->shown.option = option->partners;
    partner->met = 1;
    ax_the.partner = partner;
}

static void carry_out(struct ax_private *me) {
    struct option option = {0};
    int count = ax_options(me, 0, &option);
    assert(count); /* else it would not be its turn */
    int chosen = ax_choose(count);
    if (chosen)
        (void)ax_options(me, chosen, &option);
    me->shown.option = option.number;
    if (option.kind == SEND)
        ax_insert(ax_channel_of(option.chan), option.slot, ax_the.values);
    if (option.kind == RECEIVE)
        ax_take(me, ax_channel_of(option.chan), option.slot, option.keeps);
    if (option.kind == MEET)
        meet(&option);
    memset(ax_the.values, 0, sizeof *ax_the.values * (size_t)ax_most_fields);
}

static void boundary(struct ax_private *me, int place, const char *where) {
    /* A message is read where it was received, and no later. */
    memset(me->received, 0, sizeof *me->received * (size_t)ax_most_fields);
    me->shown.option = me->timed_out = 0;
    me->shown.at = place;
    me->where = where;
    pass_turn_on(me);
    if (!me->met && place)
        carry_out(me);
    me->met = 0;
    me->timed_out = ax_the.timeout;
    ax_the.timeout = 0;
    if (me->jumped_in)
        me->shown.atomic = 1;
    me->jumped_in = 0;
}

void ax_step(ax_process *me) {
    boundary(me->own, 0, NULL);
}

void ax_wait(ax_process *me, int place, const char *where) {
    boundary(me->own, place, where);
}

void ax_atomic_from_here(ax_process *me) {
    me->own->jumped_in = 1;
}

int ax_timeout(void) {
    return ax_the.timeout;
}

int ax_timed_out(const ax_process *me) {
    return me->own->timed_out;
}
