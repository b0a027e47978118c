/* Messages: levels, cutting, errno. */
#include "../c/genliboutput.h"
#include "check.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static char text[8192];

/* What `say` writes to standard error. */
static size_t written(void (*say)(void))
{
    int ends[2], saved = dup(STDERR_FILENO);
    ssize_t length;

    CHECK(pipe(ends) == 0);
    dup2(ends[1], STDERR_FILENO);
    say();
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(ends[1]);
    length = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    CHECK(length >= 0);
    text[length] = '\0';
    return (size_t)length;
}

static void say_message(void) { output_message("number %d", 42); }
static void say_debug(void) { output_debug("not to be seen"); }
static void say_failed(void)
{
    errno = ENOENT;
    output_failed("cannot open %s", "it");
    CHECK(errno == ENOENT);
}
static void say_much(void)
{
    static char much[5000];
    memset(much, 'x', sizeof much - 1);
    output_error("%s", much);
}

int main(void)
{
    output_set_name("test");
    CHECK(written(say_message) > 0 && strstr(text, "test[") == text && strstr(text, "]: number 42\n") != NULL);
    CHECK(written(say_debug) == 0);
    CHECK(written(say_failed) > 0 && strstr(text, "cannot open it: No such file or directory\n") != NULL);
    CHECK(written(say_much) == 1023 && text[1022] == '\n');
    output_set_level(OUTPUT_SILENT);
    CHECK(written(say_failed) == 0);
    output_set_level(OUTPUT_DEBUG);
    CHECK(written(say_debug) > 0);
    return 0;
}
