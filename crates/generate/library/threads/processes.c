/* The life of a process. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

int ax_nr_pr(void) {
    return ax_the.count;
}

static struct ax_private *new_process(const char *name, int priority, void (*code)(ax_process *), int n,
                                      const int32_t *arguments) {
    struct ax_private *new = ax_allocate(1, sizeof *new);
    new->shown.pid = ax_the.count;
    new->shown.own = new;
    new->name = name;
    new->priority = priority;
    new->code = code;
    new->channels = ax_the.channels;
    new->received = ax_allocate((size_t)ax_most_fields, sizeof *new->received);
    new->arguments = ax_allocate((size_t)n, sizeof *new->arguments);
    if (n)
        memcpy(new->arguments, arguments, sizeof *arguments * (size_t)n);
    new->shown.message = new->received;
    new->shown.arguments = new->arguments;
    pthread_cond_init(&new->awake, NULL);
    return new;
}

static void free_process(struct ax_private *old) {
    pthread_cond_destroy(&old->awake);
    free(old->received);
    free(old->arguments);
    free(old);
}

static void *live(void *argument) {
    struct ax_private *me = argument;
    ax_await_turn(me);
    me->code(&me->shown);
    /* It is the youngest one, and this is the step with which it ends. */
    ax_the.process[--ax_the.count] = NULL;
    ax_free_channels(me->channels);
    free_process(me);
    if (!ax_the.count)
        ax_stop(0);
    ax_leave();
    return NULL;
}

/* A new process has its first values, and what nobody else notices of its first statements is done, when `run` is. */
int ax_run(ax_process *me, const char *name, int priority, void (*code)(ax_process *), int n,
           const int32_t *arguments) {
    if (ax_the.count == MOST_PROCESSES)
        ax_fault(NULL, "too many processes (%d at most)", MOST_PROCESSES);
    struct ax_private *new = new_process(name, priority, code, n, arguments);
    ax_the.process[ax_the.count++] = new;
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) || pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) ||
        pthread_create(&thread, &attributes, live, new))
        ax_fault(NULL, "cannot create a thread for %s", name);
    pthread_attr_destroy(&attributes);
    ax_the.creator = me ? me->own : &ax_the.main;
    ax_lend_turn(ax_the.creator, new);
    return new->shown.pid;
}

void ax_begin(ax_process *me, ax_looks *looks, const void *view) {
    me->own->looks = looks;
    me->view = view;
}

int ax_priority(int pid) {
    return pid >= 0 && pid < ax_the.count ? ax_the.process[pid]->priority : 0;
}

void ax_set_priority(const char *where, int pid, int priority) {
    if (pid < 0 || pid >= ax_the.count)
        return;
    if (priority < 1 || priority > 255)
        ax_fault(where, "priority %d is out of range (1 to 255)", priority);
    ax_the.process[pid]->priority = priority;
}

int main(void) {
    ax_begin_turns();
    pthread_cond_init(&ax_the.main.awake, NULL);
    ax_the.values = ax_allocate((size_t)ax_most_fields, sizeof *ax_the.values);
    ax_globals();
    ax_processes();
    if (ax_the.count)
        ax_first_turn();
    return 0;
}
