/* <getopt.h>: options as glibc reads them, also long and abbreviated ones. Without "W;". */
#include "runtime.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

/* The rest of a word of several short options, or NULL. */
static char *letters;
/* The words from `skipped` up to `scanned` are no options; they are moved behind the options that follow them. */
static int skipped, scanned;
static enum { NOT_BEGUN, PERMUTE, IN_ORDER, STOP_AT_FIRST } mode;

struct call {
    int count;
    char **words;
    const char *letters; /* behind + and - */
    const struct option *options;
    int *index;
    int only; /* long options may begin with one - */
};

#define COMPLAIN(call, ...)                                                                                                    \
    do                                                                                                                         \
        if (opterr && *(call)->letters != ':')                                                                                 \
            fprintf(stderr, __VA_ARGS__);                                                                                      \
    while (0)

static int missing(const struct call *call) {
    return *call->letters == ':' ? ':' : '?';
}

static int is_option(const char *word) {
    return word[0] == '-' && word[1];
}

static void reverse(char **words, int from, int to) {
    for (; from < --to; from++) {
        char *word = words[from];
        words[from] = words[to];
        words[to] = word;
    }
}

/* The options up to optind come before the words that were skipped. */
static void move_skipped(char **words) {
    if (skipped != scanned && scanned != optind) {
        reverse(words, skipped, scanned);
        reverse(words, scanned, optind);
        reverse(words, skipped, optind);
        skipped += optind - scanned;
    } else if (skipped == scanned) {
        skipped = optind;
    }
    scanned = optind;
}

static int same(const struct option *a, const struct option *b) {
    return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

/* The option of this name or of the only name that begins so. `several` when there are more. */
static const struct option *find(const struct call *call, const char *name, size_t length, int *several) {
    const struct option *found = NULL;
    *several = 0;
    for (const struct option *o = call->options; o->name; o++) {
        if (strncmp(o->name, name, length))
            continue;
        if (strlen(o->name) == length) {
            *several = 0;
            return o;
        }
        if (!found)
            found = o;
        else if (call->only || !same(found, o))
            *several = 1;
    }
    return found;
}

static void complain_of_several(const struct call *call, const char *dashes, const char *name, size_t length) {
    COMPLAIN(call, "%s: option '%s%s' is ambiguous; possibilities:", call->words[0], dashes, name);
    for (const struct option *o = call->options; o->name; o++)
        if (!strncmp(o->name, name, length))
            COMPLAIN(call, " '%s%s'", dashes, o->name);
    COMPLAIN(call, "\n");
}

/* The word at optind is a long option behind its dashes. -1: it is rather some short ones. */
static int read_long(const struct call *call, const char *dashes) {
    char *name = call->words[optind] + strlen(dashes);
    size_t length = strcspn(name, "=");
    char *value = name[length] ? name + length + 1 : NULL;
    int several;
    const struct option *o = find(call, name, length, &several);
    if (!o && !dashes[1] && strchr(call->letters, *name))
        return -1;
    optind++;
    if (several) {
        complain_of_several(call, dashes, name, length);
        optopt = 0;
        return '?';
    }
    if (!o) {
        COMPLAIN(call, "%s: unrecognized option '%s%s'\n", call->words[0], dashes, name);
        optopt = 0;
        return '?';
    }
    if (value && o->has_arg == no_argument) {
        COMPLAIN(call, "%s: option '%s%s' doesn't allow an argument\n", call->words[0], dashes, o->name);
        optopt = o->val;
        return '?';
    }
    if (!value && o->has_arg == required_argument) {
        if (optind >= call->count) {
            COMPLAIN(call, "%s: option '%s%s' requires an argument\n", call->words[0], dashes, o->name);
            optopt = o->val;
            return missing(call);
        }
        value = call->words[optind++];
    }
    optarg = value;
    if (call->index)
        *call->index = (int)(o - call->options);
    if (!o->flag)
        return o->val;
    *o->flag = o->val;
    return 0;
}

/* The next of the letters; with the last one the word is done. */
static int read_short(const struct call *call) {
    char letter = *letters++;
    const char *known = strchr(call->letters, letter);
    if (!*letters) {
        letters = NULL;
        optind++;
    }
    if (!known || letter == ':' || letter == ';') {
        COMPLAIN(call, "%s: invalid option -- '%c'\n", call->words[0], letter);
        optopt = letter;
        return '?';
    }
    if (known[1] != ':')
        return letter;
    if (letters) {
        optarg = letters;
        letters = NULL;
        optind++;
    } else if (known[2] != ':') {
        if (optind >= call->count) {
            COMPLAIN(call, "%s: option requires an argument -- '%c'\n", call->words[0], letter);
            optopt = letter;
            return missing(call);
        }
        optarg = call->words[optind++];
    }
    return letter;
}

static int next(struct call *call) {
    int first_letter = *call->letters;
    if (call->count < 1)
        return -1;
    optarg = NULL;
    if (!optind || !mode) {
        if (!optind)
            optind = 1;
        skipped = scanned = optind;
        letters = NULL;
        mode = first_letter == '-' ? IN_ORDER : first_letter == '+' ? STOP_AT_FIRST : PERMUTE;
    }
    if (first_letter == '-' || first_letter == '+')
        call->letters++;
    if (letters)
        return read_short(call);

    /* The program may have set optind back. */
    if (scanned > optind)
        scanned = optind;
    if (skipped > optind)
        skipped = optind;
    if (mode == PERMUTE) {
        move_skipped(call->words);
        while (optind < call->count && !is_option(call->words[optind]))
            optind++;
        scanned = optind;
    }
    if (optind < call->count && !strcmp(call->words[optind], "--")) {
        optind++;
        move_skipped(call->words);
        scanned = optind = call->count;
    }
    if (optind >= call->count) {
        if (skipped != scanned)
            optind = skipped;
        return -1;
    }
    char *word = call->words[optind];
    if (!is_option(word)) {
        if (mode == STOP_AT_FIRST)
            return -1;
        optarg = word;
        optind++;
        return 1;
    }
    if (call->options && word[1] == '-')
        return read_long(call, "--");
    if (call->options && call->only && (word[2] || !strchr(call->letters, word[1]))) {
        int option = read_long(call, "-");
        if (option != -1)
            return option;
    }
    letters = word + 1;
    return read_short(call);
}

int getopt(int count, char *const *words, const char *known) {
    return next(&(struct call){count, (char **)words, known, NULL, NULL, 0});
}

/* What the headers make of getopt in a program that wants POSIX and nothing more. */
int __posix_getopt(int count, char *const *words, const char *known);
int __posix_getopt(int count, char *const *words, const char *known) {
    if (!optind || !mode) {
        if (!optind)
            optind = 1;
        skipped = scanned = optind;
        letters = NULL;
        mode = *known == '-' ? IN_ORDER : STOP_AT_FIRST;
    }
    return getopt(count, words, known);
}

int getopt_long(int count, char *const *words, const char *known, const struct option *options, int *index) {
    return next(&(struct call){count, (char **)words, known, options, index, 0});
}

int getopt_long_only(int count, char *const *words, const char *known, const struct option *options, int *index) {
    return next(&(struct call){count, (char **)words, known, options, index, 1});
}
