/* Sessions at a time that fetch a file again and again: parallel PORT SESSIONS SECONDS FILE.
 * Prints the bytes a second that they have got together. As little work for each byte as can be, so that the server is measured. */
#define _GNU_SOURCE
#include "genlibproc.h"
#include "genlibsocket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct session {
    int control;
    char line[4096];
    size_t used;
};

/* The last line of a reply. */
static int reply(struct session *session, char *text, size_t size)
{
    for (;;) {
        char *end = memchr(session->line, '\n', session->used);
        ssize_t count;

        if (end != NULL) {
            size_t length = (size_t)(end - session->line) + 1;
            int last = session->line[3] == ' ';
            snprintf(text, size, "%.*s", (int)length, session->line);
            session->used -= length;
            memmove(session->line, end + 1, session->used);
            if (last) {
                return atoi(text);
            }
            continue;
        }
        count = recv(session->control, session->line + session->used, sizeof session->line - session->used, 0);
        if (count <= 0) {
            fprintf(stderr, "the server has closed a connection\n");
            exit(1);
        }
        session->used += (size_t)count;
    }
}

static void ask(struct session *session, const char *command, int expected, char *text, size_t size)
{
    char line[512];
    int length = snprintf(line, sizeof line, "%s\r\n", command), code;

    Send(session->control, line, (size_t)length, 0);
    code = reply(session, text, size);
    if (code != expected) {
        fprintf(stderr, "%s: %s", command, text);
        exit(1);
    }
}

static long long fetch(struct session *session, const char *file, char *buffer, size_t size)
{
    char text[512], command[512];
    long long total = 0;
    ssize_t count;
    int data;

    /* ProFTPD picks ports that are in use now and then: ask again. */
    do {
        Send(session->control, "EPSV\r\n", 6, 0);
    } while (reply(session, text, sizeof text) == 425);
    if (strstr(text, "|||") == NULL) {
        fprintf(stderr, "%s", text);
        exit(1);
    }
    data = ConnectTo("127.0.0.1", atoi(strstr(text, "|||") + 3), 10000);
    snprintf(command, sizeof command, "RETR %s", file);
    ask(session, command, 150, text, sizeof text);
    while ((count = recv(data, buffer, size, 0)) > 0) {
        total += count;
    }
    close(data);
    if (reply(session, text, sizeof text) != 226) {
        fprintf(stderr, "%s", text);
        exit(1);
    }
    return total;
}

int main(int argc, char *argv[])
{
    int port = argc == 5 ? atoi(argv[1]) : 0, sessions = argc == 5 ? atoi(argv[2]) : 0, gate[2], status, bad = 0;
    double seconds = argc == 5 ? atof(argv[3]) : 0;
    static struct session session;
    static char buffer[256 * 1024], text[512];
    long long *totals, sum = 0;
    volatile int *ready;

    if (sessions < 1 || pipe(gate) != 0) {
        fprintf(stderr, "parallel PORT SESSIONS SECONDS FILE\n");
        return 2;
    }
    totals = mmap(NULL, sizeof *totals * (size_t)(sessions + 1), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ready = (volatile int *)&totals[sessions];
    for (int i = 0; i < sessions; i++) {
        if (fork() == 0) {
            long end;
            close(gate[1]);
            session.control = ConnectTo("127.0.0.1", port, 30000);
            if (session.control < 0 || reply(&session, text, sizeof text) != 220) {
                return 1;
            }
            ask(&session, "USER anonymous", 331, text, sizeof text);
            ask(&session, "PASS bench@", 230, text, sizeof text);
            ask(&session, "TYPE I", 200, text, sizeof text);
            __sync_fetch_and_add(ready, 1);
            if (read(gate[0], text, 1) < 0) { /* returns when the gate is closed: all begin together */
                return 1;
            }
            end = proc_now() + (long)(seconds * 1000);
            while (proc_now() < end) {
                totals[i] += fetch(&session, argv[4], buffer, sizeof buffer);
            }
            return 0;
        }
    }
    for (long start = proc_now(); *ready < sessions && proc_now() - start < 60000;) {
        proc_sleep(10);
    }
    close(gate[1]);
    while (wait(&status) > 0) {
        bad |= status;
    }
    for (int i = 0; i < sessions; i++) {
        sum += totals[i];
    }
    printf("%.0f\n", (double)sum / seconds);
    return bad != 0;
}
