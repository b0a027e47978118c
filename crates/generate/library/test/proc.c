/* Processes: this program runs itself. */
#define _GNU_SOURCE
#include "../c/genlibproc.h"
#include "check.h"
#include "../c/genliboutput.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int child(int argc, char *argv[])
{
    if (strcmp(argv[1], "1") == 0) { /* ends with its second argument */
        CHECK(argc == 4 && strcmp(argv[3], "-7") == 0);
        return atoi(argv[2]);
    }
    if (strcmp(argv[1], "2") == 0) { /* writes to a descriptor that it was given */
        return write(atoi(argv[2]), "x", 1) == 1 ? 0 : 1;
    }
    if (strcmp(argv[1], "3") == 0) { /* waits to be told to stop */
        proc_catch_stop();
        while (!proc_stopping()) {
            proc_sleep(60000);
        }
        return 5;
    }
    proc_sleep(60000); /* waits to be killed */
    return 1;
}

int main(int argc, char *argv[])
{
    int pid, ends[2];
    char byte;
    long start;

    if (argc > 1) {
        return child(argc, argv);
    }
    output_set_level(OUTPUT_SILENT);
    /* A status, arguments, a path in front that means nothing, another working directory. */
    CHECK(chdir("/") == 0);
    pid = run("./proc", "d, d,i", 1, 33, -7);
    CHECK(pid > 0 && proc_wait(pid) == 33);
    CHECK(run("there_is_no_such_program", "") == 0);
    CHECK(proc_children() == 0);

    /* Descriptors stay open. */
    CHECK(pipe(ends) == 0);
    pid = run("proc", "d,d", 2, ends[1]);
    CHECK(proc_wait(pid) == 0 && read(ends[0], &byte, 1) == 1 && byte == 'x');
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid = run("proc", "d,d", 2, ends[1]);
    CHECK(proc_wait(pid) == 1);

    /* Signals. */
    pid = run("proc", "d", 4);
    CHECK(proc_children() == 1 && proc_signal_children(SIGKILL) == 1);
    CHECK(proc_wait(pid) == 128 + SIGKILL);
    CHECK(proc_wait(pid) == -1 && errno == ECHILD);

    /* The highest status of several. */
    for (int i = 1; i <= 5; i++) {
        CHECK(run("proc", "d,d,d", 1, i, -7) > 0);
    }
    CHECK(proc_wait_all() == 5);

    /* Collected without anybody waiting. */
    proc_collect();
    for (int i = 0; i < 20; i++) {
        CHECK(run("proc", "d,d,d", 1, 0, -7) > 0);
    }
    start = proc_now();
    while (proc_children() > 0) {
        proc_sleep(10);
        CHECK(proc_now() - start < 20000);
    }
    /* Waited for and collected at once: none is lost, none is counted twice. */
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 5; i++) {
            CHECK(run("proc", "d,d,d", 1, 0, -7) > 0);
        }
        CHECK(proc_wait_all() <= 0 && proc_children() == 0 && waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    }
    signal(SIGCHLD, SIG_DFL);

    /* Who started us may ignore the end of children. */
    signal(SIGCHLD, SIG_IGN);
    pid = run("proc", "d,d,d", 1, 9, -7);
    CHECK(pid > 0 && proc_wait(pid) == 9);
    signal(SIGCHLD, SIG_IGN);
    CHECK(run("proc", "d,d,d", 1, 8, -7) > 0 && proc_supervise() == 8);
    signal(SIGCHLD, SIG_DFL);

    /* Supervising passes on what it is told, and does not miss what came before. */
    CHECK(run("proc", "d", 3) > 0);
    proc_sleep(300);
    proc_catch_stop();
    raise(SIGTERM);
    CHECK(proc_stopping());
    CHECK(proc_supervise() == 0 && proc_children() == 0);

    /* The same numbers after the same seed. */
    proc_seed(7);
    pid = proc_random(1000) * 1000 + proc_random(1000);
    proc_seed(7);
    CHECK(pid == proc_random(1000) * 1000 + proc_random(1000));
    for (int i = 0, seen = 0; seen != 7; i++) {
        seen |= 1 << proc_random(3);
        CHECK(i < 100);
    }
    setenv("SETTING", "12", 1);
    CHECK(proc_setting("SETTING", 0, 20, 5) == 12 && proc_setting("SETTING", 0, 10, 5) == 5);
    CHECK(proc_setting("NO_SETTING", 0, 20, 5) == 5);
    setenv("SETTING", "12x", 1);
    CHECK(proc_setting("SETTING", 0, 20, 5) == 5);
    return 0;
}
