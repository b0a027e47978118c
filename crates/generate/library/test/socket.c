/* Sockets: both families, time limits, partial writes, being told to stop. */
#define _GNU_SOURCE
#include "../c/genlibsocket.h"
#include "../c/genliboutput.h"
#include "../c/genlibproc.h"
#include "check.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MUCH ((size_t)20 * 1024 * 1024)

static void family(const char *address)
{
    int listening = ListenOn(address, 0, 5), client, server;
    char *bytes = malloc(MUCH), small[16];
    size_t got = 0;
    long start;
    pid_t child;

    CHECK(listening >= 0 && bytes != NULL);
    CHECK(AcceptTimeout(listening, NULL, NULL, 50) == -1 && errno == ETIMEDOUT);
    client = ConnectTo(address, LocalPort(listening), 5000);
    CHECK(client >= 0);
    server = Accept(listening, NULL, NULL);
    CHECK(server >= 0);
    CHECK(WaitReadable(server, 0) == 0 && WaitWritable(server, 1000) == 1);
    CHECK(RecvTimeout(server, small, sizeof small, 0, 50) == -1 && errno == ETIMEDOUT);
    CHECK(Send(client, "hello", 5, 0) == 5 && Recv(server, small, sizeof small, 0) == 5);
    CHECK(memcmp(small, "hello", 5) == 0);

    /* More than fits into buffers, to a slow reader: all of it arrives. */
    memset(bytes, 'x', MUCH);
    child = fork();
    if (child == 0) {
        _exit(Send(client, bytes, MUCH, 0) == (ssize_t)MUCH ? 0 : 1);
    }
    while (got < MUCH) {
        ssize_t count = Recv(server, bytes, 1024 * 1024, 0);
        CHECK(count > 0);
        got += (size_t)count;
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);

    /* A reader who does not read. */
    for (int i = 0; i < 100 && SendTimeout(client, bytes, MUCH, 0, 200) >= 0; i++) {
        /* Buffers of today's kernels grow to more than this. */
    }
    start = proc_now();
    CHECK(SendTimeout(client, bytes, MUCH, 0, 200) == -1 && errno == ETIMEDOUT && proc_now() - start >= 200);

    /* A reader who has gone: an error, no signal. */
    Close(server);
    for (int i = 0; i < 100 && Send(client, bytes, 65536, 0) >= 0; i++) {
    }
    CHECK(Send(client, bytes, 10, 0) == -1);
    Close(client);
    client = ConnectTo(address, LocalPort(listening), 5000);
    server = Accept(listening, NULL, NULL);
    Close(client);
    CHECK(Recv(server, small, sizeof small, 0) == 0);
    Close(server);
    Close(listening);
    free(bytes);
}

/* A signal just before, or while we wait. */
static void stopping(void)
{
    int listening = ListenOn("127.0.0.1", 0, 5);
    pid_t child = fork();
    int status;

    if (child == 0) {
        proc_catch_stop();
        CHECK(Accept(listening, NULL, NULL) == -1 && errno == EINTR);
        CHECK(WaitReadable(listening, -1) == -1);
        _exit(0);
    }
    proc_sleep(300);
    kill(child, SIGTERM);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    Close(listening);
}

int main(void)
{
    int unused;

    output_set_level(OUTPUT_SILENT);
    family("127.0.0.1");
    unused = ListenOn("::1", 0, 1);
    if (unused >= 0) { /* there are systems without IPv6 */
        Close(unused);
        family("::1");
    }
    unused = ListenOn("127.0.0.1", 0, 1);
    int port = LocalPort(unused);
    Close(unused);
    CHECK(ConnectTo("127.0.0.1", port, 1000) == -1);
    CHECK(ListenOn("no address", 0, 1) == -1);
    CHECK(Socket(AF_INET, 12345, 0) == -1);
    stopping();
    return 0;
}
