/* What a process can do where it waits.

   Its `looks` is called, which calls ax_can and its like for everything that can be done. Nothing changes meanwhile, so it can
   be called by anybody and as often as one likes: to count what there is, and again to have one of them described.

   To know whether a message can be sent in a handshake, the others are asked whether they would receive it: a look, too, in which
   only receives count. */
#include "inside.h"

#include <string.h>

struct message {
    int chan;
    const struct channel *q;
    const int32_t *values;
};

struct look {
    struct ax_private *of;
    const struct message *message; /* if it is only asked about this one */
    int group, enabled_group;      /* of `unless` */
    int count, ends;
    int only_first, before; /* of what came after so many */
    int wanted; /* the option that is to be described; none if there is not that one */
    struct option *option;
};

static void look(struct look *new) {
    struct look *outer = ax_the.look;
    ax_the.look = new;
    if (new->of->shown.at)
        new->of->looks(&new->of->shown);
    else if (!new->message)
        ax_can(&new->of->shown, 0);
    ax_the.look = outer;
}

int ax_options(struct ax_private *p, int wanted, struct option *option) {
    struct look new = {.of = p, .wanted = wanted, .option = option};
    look(&new);
    return new.count;
}

int ax_can_move(struct ax_private *p) {
    return ax_options(p, -1, NULL) > 0;
}

int ax_ends_well(struct ax_private *p) {
    struct look new = {.of = p, .wanted = -1};
    look(&new);
    return new.ends;
}

struct ax_private *ax_looked_at(void) {
    return ax_the.look ? ax_the.look->of : NULL;
}

int ax_is_asked(void) {
    return ax_the.look && ax_the.look->message;
}

/* Does an escape that can be taken make this group pointless? */
static int is_too_late(const struct look *look) {
    return look->count && look->enabled_group != look->group;
}

int ax_group(ax_process *me, int number) {
    (void)me;
    ax_the.look->group = number;
    return !is_too_late(ax_the.look);
}

void ax_may_end(ax_process *me) {
    (void)me;
    ax_the.look->ends = 1;
}

void ax_only_first(ax_process *me, int on) {
    (void)me;
    ax_the.look->only_first = on;
    ax_the.look->before = ax_the.look->count;
}

/* So many more options, of which the wanted one may be one: gives room for it then. */
static struct option *add(struct look *look, int more) {
    int first = look->count;
    if (!more || is_too_late(look) || (look->only_first && look->count > look->before))
        return NULL;
    look->enabled_group = look->group;
    look->count += more;
    return look->wanted >= first && look->wanted < look->count ? look->option : NULL;
}

void ax_can(ax_process *me, int number) {
    (void)me;
    struct option *option = ax_is_asked() ? NULL : add(ax_the.look, 1);
    if (option)
        *option = (struct option){.number = number, .kind = ALONE};
}

void ax_can_else(ax_process *me, int number) {
    if (!ax_the.look->count)
        ax_can(me, number);
}

static void keep_values(const struct channel *q, const int32_t *values) {
    memcpy(ax_the.values, values, sizeof *values * (size_t)q->width);
}

/* Everybody who would receive the message. */
static void add_partners(struct look *mine, int number, const struct message *message) {
    for (int i = 0; i < ax_the.count; i++) {
        struct ax_private *other = ax_the.process[i];
        if (other == mine->of)
            continue;
        struct option theirs = {0};
        struct look asked = {
            .of = other, .message = message, .wanted = mine->wanted - mine->count, .option = &theirs};
        look(&asked);
        struct option *option = add(mine, asked.count);
        if (!option)
            continue;
        *option = (struct option){
            .number = number, .kind = MEET, .chan = message->chan, .partner = other, .partners = theirs.number};
        keep_values(message->q, message->values);
    }
}

void ax_can_send(ax_process *me, int number, ax_chan chan, int sorted, int n, const int32_t *values) {
    (void)me;
    const struct channel *q = ax_is_asked() ? NULL : ax_channel_of(chan);
    if (!q || (q->capacity && q->length == q->capacity))
        return;
    (void)ax_fits_width(q, n);
    if (!q->capacity) {
        add_partners(ax_the.look, number, &(struct message){.chan = chan, .q = q, .values = values});
        return;
    }
    struct option *option = add(ax_the.look, 1);
    if (!option)
        return;
    *option = (struct option){.number = number, .kind = SEND, .chan = chan, .slot = sorted};
    keep_values(q, values);
}

/* Would the process that is asked receive the message? */
static int would_receive(const struct message *message, const struct ax_field *fields) {
    for (int i = 0; i < message->q->width; i++)
        if (fields[i].is_given && fields[i].value != ax_cut(message->q->types[i], message->values[i]))
            return 0;
    return 1;
}

static void can_meet(int number, ax_chan chan, const struct channel *q, int n, const struct ax_field *fields) {
    const struct message *message = ax_the.look->message;
    if (!message || message->chan != chan || !ax_fits_width(q, n) || !would_receive(message, fields))
        return;
    struct option *option = add(ax_the.look, 1);
    if (option)
        *option = (struct option){.number = number};
}

void ax_can_receive(ax_process *me, int number, ax_chan chan, int how, int n, const struct ax_field *fields) {
    (void)me;
    const struct channel *q = ax_channel_of(chan);
    if (!q)
        return;
    if (!q->capacity) {
        if (how & AX_KEEP)
            ax_fault(NULL, "a rendezvous channel cannot be polled");
        else if (ax_fits_width(q, n))
            can_meet(number, chan, q, n, fields);
        return;
    }
    int slot = ax_is_asked() || !q->length || !ax_fits_width(q, n) ? -1 : ax_find(q, how, fields);
    struct option *option = slot < 0 ? NULL : add(ax_the.look, 1);
    if (option)
        *option = (struct option){
            .number = number, .kind = RECEIVE, .chan = chan, .slot = slot, .keeps = (how & AX_KEEP) != 0};
}

int ax_is_youngest(const ax_process *me) {
    return me->pid == ax_the.count - 1;
}
