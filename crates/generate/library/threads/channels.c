/* Channels: queues of messages; those without room for any are for handshakes. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

struct channel *ax_channel_of(int chan) {
    if (chan == 0)
        ax_fault(NULL, "use of an uninitialised channel");
    else if (chan > ax_the.channels)
        ax_fault(NULL, "there is no channel with the number %d", chan);
    else
        return ax_the.channel[chan - 1];
    return NULL;
}

ax_chan ax_channel(int capacity, int n, const ax_type *types) {
    if (ax_the.channels == MOST_CHANNELS)
        ax_fault(NULL, "more than %d channels", MOST_CHANNELS);
    struct channel *new = ax_allocate(1, sizeof *new);
    new->capacity = capacity;
    new->width = n;
    new->types = ax_allocate((size_t)n, sizeof *types);
    memcpy(new->types, types, sizeof *types * (size_t)n);
    new->data = ax_allocate((size_t)capacity * (size_t)n, sizeof *new->data);
    ax_the.channel[ax_the.channels++] = new;
    return (ax_chan)ax_the.channels;
}

void ax_free_channels(int left) {
    while (ax_the.channels > left) {
        struct channel *old = ax_the.channel[--ax_the.channels];
        ax_the.channel[ax_the.channels] = NULL;
        free(old->types);
        free(old->data);
        free(old);
    }
}

int ax_fits_width(const struct channel *q, int n) {
    if (q->width == n)
        return 1;
    return ax_fault(NULL, "%d fields given, but the channel has %d", n, q->width);
}

int32_t ax_cut(ax_type type, int32_t value) {
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

int ax_find(const struct channel *q, int how, const struct ax_field *fields) {
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

void ax_insert(struct channel *q, int sorted, const int32_t *values) {
    int slot = q->length;
    if (sorted)
        for (slot = 0; slot < q->length && !is_greater(at(q, slot), values, q->width);)
            slot++;
    memmove(at(q, slot) + q->width, at(q, slot), sizeof(int32_t) * (size_t)((q->length - slot) * q->width));
    for (int i = 0; i < q->width; i++)
        at(q, slot)[i] = ax_cut(q->types[i], values[i]);
    q->length++;
}

void ax_take(struct ax_private *me, struct channel *q, int slot, int keeps) {
    memcpy(me->received, at(q, slot), sizeof(int32_t) * (size_t)q->width);
    if (keeps)
        return;
    q->length--;
    memmove(at(q, slot), at(q, slot) + q->width, sizeof(int32_t) * (size_t)((q->length - slot) * q->width));
    memset(at(q, q->length), 0, sizeof(int32_t) * (size_t)q->width);
}

int ax_len(ax_chan chan) {
    const struct channel *q = ax_channel_of(chan);
    return q ? q->length : 0;
}

int ax_full(ax_chan chan) {
    const struct channel *q = ax_channel_of(chan);
    return q && q->capacity && q->length == q->capacity;
}

int ax_empty(ax_chan chan) {
    return ax_len(chan) == 0;
}

int ax_poll(ax_chan chan, int how, int n, const struct ax_field *fields) {
    const struct channel *q = ax_channel_of(chan);
    if (!q || !ax_fits_width(q, n))
        return 0;
    if (!q->capacity)
        return ax_fault(NULL, "a rendezvous channel cannot be polled");
    return ax_find(q, how, fields) >= 0;
}

/* ---- in a d_step ---- */

int ax_could_send(ax_process *me, ax_chan chan) {
    (void)me;
    return !ax_full(chan);
}

int ax_could_receive(ax_process *me, ax_chan chan, int how, int n, const struct ax_field *fields) {
    (void)me;
    const struct channel *q = ax_channel_of(chan);
    return q && q->capacity && ax_fits_width(q, n) && ax_find(q, how, fields) >= 0;
}

void ax_send_now(ax_process *me, const char *where, ax_chan chan, int sorted, int n, const int32_t *values) {
    (void)me;
    struct channel *q = ax_channel_of(chan);
    ax_fits_width(q, n);
    if (!q->capacity)
        ax_fault(where, "a rendezvous send inside a d_step");
    if (q->length == q->capacity)
        ax_fault(where, "blocks inside a d_step");
    ax_insert(q, sorted, values);
}

void ax_receive_now(ax_process *me, const char *where, ax_chan chan, int how, int n, const struct ax_field *fields) {
    struct channel *q = ax_channel_of(chan);
    if (!ax_could_receive(me, chan, how, n, fields))
        ax_fault(where, "blocks inside a d_step");
    ax_take(me->own, q, ax_find(q, how, fields), how & AX_KEEP);
}
