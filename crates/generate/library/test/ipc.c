/* Message queues, both kinds. */
#define _GNU_SOURCE
#include "../c/genlibipc.h"
#include "../c/genliboutput.h"
#include "../c/genlibproc.h"
#include "check.h"

#include <errno.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

struct message {
    long type;
    int number;
    char text[20];
};

static void system_v(void)
{
    struct message sent = {0, 1, "one"}, got;
    int queue = ipc_mq_new(), other;
    long start;
    pid_t child;

    CHECK(queue >= 0 && ipc_mq_len(queue) == 0);
    CHECK(ipc_mq_rcv(queue, &got, sizeof got, 0, 0) == IPC_NOT_NOW);
    CHECK(ipc_mq_snd(queue, &sent, sizeof sent, 1) == IPC_DONE && sent.type == 1);
    CHECK(ipc_mq_len(queue) == 1);
    CHECK(ipc_mq_rcv(queue, &got, sizeof got, 0, 1) == IPC_DONE && got.number == 1 && strcmp(got.text, "one") == 0);

    /* By type. */
    for (int i = 1; i <= 3; i++) {
        sent.type = i;
        sent.number = 10 * i;
        CHECK(ipc_mq_snd(queue, &sent, sizeof sent, 1) == IPC_DONE);
    }
    CHECK(ipc_mq_rcv(queue, &got, sizeof got, 2, 1) == IPC_DONE && got.number == 20);
    CHECK(ipc_mq_rcv(queue, &got, sizeof got, 2, 0) == IPC_NOT_NOW);
    CHECK(ipc_mq_rcv(queue, &got, sizeof got, 0, 1) == IPC_DONE && got.number == 10);
    CHECK(ipc_mq_rcv(queue, &got, sizeof got, 0, 1) == IPC_DONE && got.number == 30);

    /* A timeout, and a message that comes in time. */
    start = proc_now();
    CHECK(ipc_mq_rcv_timeout(queue, &got, sizeof got, 0, 100) == IPC_TIMEOUT);
    CHECK(proc_now() - start >= 100 && proc_now() - start < 5000);
    child = fork();
    if (child == 0) {
        proc_sleep(50);
        _exit(ipc_mq_snd(queue, &sent, sizeof sent, 1) == IPC_DONE ? 0 : 1);
    }
    CHECK(ipc_mq_rcv_timeout(queue, &got, sizeof got, 0, 30000) == IPC_DONE && got.number == 30);
    CHECK(waitpid(child, NULL, 0) == child);

    /* Bounded: the third does not fit. */
    CHECK(ipc_mq_limit(queue, 2 * (sizeof sent - sizeof(long))) == 0);
    CHECK(ipc_mq_snd(queue, &sent, sizeof sent, 0) == IPC_DONE && ipc_mq_snd(queue, &sent, sizeof sent, 0) == IPC_DONE);
    CHECK(ipc_mq_snd(queue, &sent, sizeof sent, 0) == IPC_NOT_NOW);

    /* Whoever waits learns that it is removed. */
    other = ipc_mq_new();
    child = fork();
    if (child == 0) {
        _exit(ipc_mq_rcv(other, &got, sizeof got, 0, 1) == IPC_CLOSED ? 0 : 1);
    }
    proc_sleep(50);
    CHECK(ipc_mq_remove(other) == 0);
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(ipc_mq_remove(other) == 0 && ipc_mq_snd(other, &sent, sizeof sent, 1) == IPC_CLOSED);

    CHECK(ipc_mq_open(0x61757370) >= 0 && ipc_mq_open(0x61757370) == ipc_mq_open(0x61757370));
    CHECK(ipc_mq_remove(ipc_mq_open(0x61757370)) == 0);
    CHECK(ipc_mq_remove(queue) == 0);
}

/* Queues go when their process goes, even if it is killed. */
static void killed(void)
{
    int ends[2], queues[2];
    pid_t child;
    long start = proc_now();

    CHECK(pipe(ends) == 0);
    child = fork();
    if (child == 0) {
        queues[0] = ipc_mq_new();
        queues[1] = ipc_mq_new();
        if (write(ends[1], queues, sizeof queues) < 0) {
            _exit(1);
        }
        pause();
        _exit(1);
    }
    CHECK(read(ends[0], queues, sizeof queues) == (ssize_t)sizeof queues);
    CHECK(ipc_mq_len(queues[0]) == 0 && ipc_mq_len(queues[1]) == 0);
    kill(child, SIGKILL);
    CHECK(waitpid(child, NULL, 0) == child);
    while (ipc_mq_len(queues[0]) >= 0 || ipc_mq_len(queues[1]) >= 0) {
        proc_sleep(5);
        CHECK(proc_now() - start < 20000);
    }
}

static void posix(void)
{
    struct message sent = {0, 7, "seven"}, got;
    int queue = ipc_pq_new(2, sizeof sent);
    long start;

    if (queue < 0 && (errno == ENOSYS || errno == EACCES)) {
        return; /* a system without them */
    }
    CHECK(queue >= 0 && ipc_pq_len(queue) == 0);
    CHECK(ipc_pq_rcv(queue, &got, sizeof got, 0) == IPC_NOT_NOW);
    CHECK(ipc_pq_snd(queue, &sent, sizeof sent, 1) == IPC_DONE && ipc_pq_snd(queue, &sent, sizeof sent, 0) == IPC_DONE);
    CHECK(ipc_pq_len(queue) == 2 && ipc_pq_snd(queue, &sent, sizeof sent, 0) == IPC_NOT_NOW);
    start = proc_now();
    CHECK(ipc_pq_snd_timeout(queue, &sent, sizeof sent, 50) == IPC_TIMEOUT && proc_now() - start >= 45);
    CHECK(ipc_pq_rcv(queue, &got, sizeof got, 1) == IPC_DONE && got.number == 7);
    CHECK(ipc_pq_rcv_timeout(queue, &got, sizeof got, 50) == IPC_DONE);
    CHECK(ipc_pq_rcv_timeout(queue, &got, sizeof got, 50) == IPC_TIMEOUT);
    CHECK(ipc_pq_close(queue) == 0 && ipc_pq_rcv(queue, &got, sizeof got, 0) == IPC_CLOSED);
    queue = ipc_pq_open("/generate-test", 2, sizeof sent);
    CHECK(queue >= 0 && ipc_pq_close(queue) == 0 && ipc_pq_remove("/generate-test") == 0);
}

int main(void)
{
    output_set_level(OUTPUT_SILENT);
    system_v();
    killed();
    posix();
    return 0;
}
