/* <stdlib.h>: the end of the program, sorting, arithmetic, random numbers, the environment. Numbers from text: number.c. */
#include "runtime.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the end: exit runs the handlers, the latest first. The machine calls it when main returns. ---- */

struct handler {
    struct handler *next;
    enum { PLAIN, WITH_STATUS, WITH_ARGUMENT } kind;
    void (*function)(void);
    void *argument;
};

static struct handler *handlers, *quick_handlers;

static int add(struct handler **list, int kind, void (*function)(void), void *argument) {
    __auspex_atomic_begin();
    struct handler *h = __auspex_allocate(sizeof *h);
    h->kind = kind;
    h->function = function;
    h->argument = argument;
    h->next = *list;
    *list = h;
    __auspex_atomic_end();
    return 0;
}

static struct handler *take(struct handler **list) {
    __auspex_atomic_begin();
    struct handler *h = *list;
    if (h)
        *list = h->next;
    __auspex_atomic_end();
    return h;
}

static _Noreturn void run(struct handler **list, int status) {
    struct handler *h;
    while ((h = take(list))) {
        if (h->kind == PLAIN)
            h->function();
        else if (h->kind == WITH_STATUS)
            ((void (*)(int, void *))h->function)(status, h->argument);
        else
            ((void (*)(void *))h->function)(h->argument);
        free(h);
    }
    __auspex_exit(status);
}

int atexit(void (*function)(void)) {
    return add(&handlers, PLAIN, function, NULL);
}

int at_quick_exit(void (*function)(void)) {
    return add(&quick_handlers, PLAIN, function, NULL);
}

int on_exit(void (*function)(int, void *), void *argument) {
    return add(&handlers, WITH_STATUS, (void (*)(void))function, argument);
}

int __cxa_atexit(void (*function)(void *), void *argument, void *dso);
int __cxa_atexit(void (*function)(void *), void *argument, void *dso) {
    (void)dso;
    return add(&handlers, WITH_ARGUMENT, (void (*)(void))function, argument);
}

void exit(int status) {
    run(&handlers, status);
}

void quick_exit(int status) {
    run(&quick_handlers, status);
}

void _Exit(int status) {
    __auspex_exit(status);
}

void _exit(int status) {
    __auspex_exit(status);
}

void __stack_chk_fail(void);
void __stack_chk_fail(void) {
    __auspex_fault("bounds", "a stack buffer was overrun");
}

/* ---- sorting and searching ---- */

typedef int (*compare_with)(const void *, const void *, void *);

static void swap(char *a, char *b, size_t size) {
    char buffer[64];
    while (size) {
        size_t n = size < sizeof buffer ? size : sizeof buffer;
        memcpy(buffer, a, n);
        memcpy(a, b, n);
        memcpy(b, buffer, n);
        a += n;
        b += n;
        size -= n;
    }
}

/* Stable, like the sort of the usual libc on small arrays. */
static void insertion_sort(char *base, size_t count, size_t size, compare_with compare, void *context) {
    for (size_t i = 1; i < count; i++)
        for (char *p = base + i * size; p > base && compare(p - size, p, context) > 0; p -= size)
            swap(p - size, p, size);
}

static void sift_down(char *base, size_t root, size_t count, size_t size, compare_with compare, void *context) {
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count && compare(base + child * size, base + (child + 1) * size, context) < 0)
            child++;
        if (compare(base + root * size, base + child * size, context) >= 0)
            return;
        swap(base + root * size, base + child * size, size);
        root = child;
    }
}

static void heap_sort(char *base, size_t count, size_t size, compare_with compare, void *context) {
    for (size_t i = count / 2; i > 0; i--)
        sift_down(base, i - 1, count, size, compare, context);
    for (size_t i = count - 1; i > 0; i--) {
        swap(base, base + i * size, size);
        sift_down(base, 0, i, size, compare, context);
    }
}

void qsort_r(void *base, size_t count, size_t size, compare_with compare, void *context) {
    if (count < 32)
        insertion_sort(base, count, size, compare, context);
    else
        heap_sort(base, count, size, compare, context);
}

struct plain_compare {
    int (*compare)(const void *, const void *);
};

static int without_context(const void *a, const void *b, void *plain) {
    return ((struct plain_compare *)plain)->compare(a, b);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    struct plain_compare plain = {compare};
    qsort_r(base, count, size, without_context, &plain);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    while (count) {
        const char *middle = (const char *)base + count / 2 * size;
        int order = compare(key, middle);
        if (!order)
            return (void *)middle;
        if (order > 0) {
            base = middle + size;
            count--;
        }
        count /= 2;
    }
    return NULL;
}

/* ---- arithmetic ---- */

int abs(int n) {
    return n < 0 ? -n : n;
}

long labs(long n) {
    return n < 0 ? -n : n;
}

long long llabs(long long n) {
    return n < 0 ? -n : n;
}

intmax_t imaxabs(intmax_t n) {
    return n < 0 ? -n : n;
}

div_t div(int a, int b) {
    return (div_t){a / b, a % b};
}

ldiv_t ldiv(long a, long b) {
    return (ldiv_t){a / b, a % b};
}

lldiv_t lldiv(long long a, long long b) {
    return (lldiv_t){a / b, a % b};
}

imaxdiv_t imaxdiv(intmax_t a, intmax_t b) {
    return (imaxdiv_t){a / b, a % b};
}

/* ---- random numbers: any, or always the same ones (--rand fixed) ---- */

static unsigned seed = 1;
static uint64_t state48 = 0x1234abcd330e;

int rand_r(unsigned *state) {
    int any = __auspex_random();
    unsigned next = *state * 1103515245u + 12345u;
    /* What is chosen anew each time needs no memory: without it the states are fewer. */
    *state = any < 0 ? next : *state;
    return any < 0 ? (int)(next >> 1) : any;
}

int rand(void) {
    int any = __auspex_random();
    if (any >= 0)
        return any;
    __auspex_atomic_begin();
    seed = seed * 1103515245u + 12345u;
    int number = (int)(seed >> 1);
    __auspex_atomic_end();
    return number;
}

void srand(unsigned value) {
    __auspex_atomic_begin();
    seed = value;
    __auspex_atomic_end();
}

long random(void) {
    return rand();
}

void srandom(unsigned value) {
    srand(value);
}

/* 48 bits. */
static uint64_t next48(void) {
    int any = __auspex_random();
    if (any >= 0)
        return (uint64_t)any << 17 | (any & 1 ? 0x1ffff : 0);
    __auspex_atomic_begin();
    uint64_t number = state48 = (state48 * 0x5deece66d + 11) & 0xffffffffffff;
    __auspex_atomic_end();
    return number;
}

double drand48(void) {
    return (double)next48() / (double)(1ull << 48);
}

long lrand48(void) {
    return (long)(next48() >> 17);
}

long mrand48(void) {
    return (int32_t)(uint32_t)(next48() >> 16);
}

void srand48(long value) {
    __auspex_atomic_begin();
    state48 = (uint64_t)(uint32_t)value << 16 | 0x330e;
    __auspex_atomic_end();
}

/* ---- the environment: there is none ---- */

char *getenv(const char *name) {
    (void)name;
    return NULL;
}

char *secure_getenv(const char *name) {
    (void)name;
    return NULL;
}

int setenv(const char *name, const char *value, int overwrite) {
    (void)name, (void)value, (void)overwrite;
    return 0;
}

int unsetenv(const char *name) {
    (void)name;
    return 0;
}

int putenv(char *text) {
    (void)text;
    return 0;
}

int system(const char *command) {
    errno = ENOSYS;
    return command ? -1 : 0;
}

/* ---- options within options: "ro,size=5" ---- */

int getsubopt(char **restrict rest, char *const *restrict names, char **restrict value) {
    char *option = *rest;
    *value = NULL;
    if (!*option)
        return -1;
    char *end = option + strcspn(option, ","), *equals = memchr(option, '=', (size_t)(end - option));
    size_t length = (size_t)((equals ? equals : end) - option);
    *rest = *end ? end + 1 : end;
    if (*end)
        *end = 0;
    for (int i = 0; names[i]; i++)
        if (!strncmp(option, names[i], length) && !names[i][length]) {
            *value = equals ? equals + 1 : NULL;
            return i;
        }
    *value = option;
    return -1;
}

/* ---- files that do not exist yet: there are none ---- */

static int no_file(char *name, int behind) {
    size_t length = strlen(name), suffix = (size_t)behind;
    int right = length >= 6 + suffix && !strncmp(name + length - suffix - 6, "XXXXXX", 6);
    errno = right ? ENOENT : EINVAL;
    return -1;
}

int mkstemp(char *name) {
    return no_file(name, 0);
}

int mkstemps(char *name, int behind) {
    return no_file(name, behind);
}

int mkostemp(char *name, int flags) {
    (void)flags;
    return no_file(name, 0);
}

char *mkdtemp(char *name) {
    no_file(name, 0);
    return NULL;
}
