/* What generated code calls. */
#define _GNU_SOURCE
#include "../c/genlibmodel.h"
#include "check.h"
#include "../c/genliboutput.h"

#include <limits.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *arguments[] = {(char[]){"program"}, (char[]){"-2147483648"}, (char[]){"2147483648"}, NULL};

/* The status of a program that prints a line to `path`. */
static int printing_to(const char *path)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        CHECK(freopen(path, "w", stdout) != NULL);
        model_start(1, arguments, 0, "");
        printf("a line\n");
        exit(0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* The status of a program that takes argument number `number` for a number. */
static int taking(int number)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        exit(model_argument(arguments, number) == INT_MIN ? 0 : 9);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

int main(void)
{
    static const char *const names[] = {"one", "two"};

    output_set_level(OUTPUT_SILENT);
    CHECK(printing_to("/dev/null") == 0);
    CHECK(printing_to("/dev/full") == 1);
    CHECK(taking(1) == 0 && taking(2) == 2 && taking(0) == 2);
    CHECK(strcmp(model_name(2, names, 2), "two") == 0 && strcmp(model_name(-3, names, 2), "-3") == 0);
    CHECK(model_divide(INT_MIN, -1, "") == INT_MIN && model_remainder(INT_MIN, -1, "") == 0);
    CHECK(model_divide(-7, 2, "") == -3 && model_remainder(-7, 2, "") == -1);
    CHECK(model_shift_left(1, 31) == INT_MIN && model_shift_left(1, 33) == 2 && model_shift_right(-8, 1) == -4);
    return 0;
}
