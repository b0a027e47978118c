// One of everything that C has and that becomes an instruction, constant or type of its own.
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
    unsigned low : 3, high : 5;
    union {
        long whole;
        double real;
    } either;
    char name[8];
};
enum color { RED, GREEN = 5, BLUE = -1 };
typedef int (*operation)(int, ...);
struct big {
    long a[10];
};
struct flexible {
    int count;
    const char *volatile items[];
};

static struct node *head;
_Atomic int counter;
_Thread_local int per_thread;
volatile int watched;
long double extended = 1.5L;
#ifdef __SIZEOF_INT128__
__int128 wide = ((__int128)1 << 100);
unsigned _BitInt(37) odd(unsigned _BitInt(37) x) { return x * 3; }
#endif
float _Complex complex_number;
static const char *names[] = {"a", "b\n\"q\"", "c"};
int matrix[3][4];
int common_variable;
static operation table[2];
extern int elsewhere;
extern int perhaps(void) __attribute__((weak));
int same(int) __attribute__((alias("color_number")));

__attribute__((constructor)) static void begin(void) { head = 0; }

int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int total = 0;
    for (int i = 0; i < n; i++) total += va_arg(list, int);
    double last = va_arg(list, double);
    va_end(list);
    return total + (int)last;
}

struct big change(struct big b, int i) {
    b.a[i] = i;
    return b;
}

int computed(int x) {
    static void *targets[] = {&&first, &&second};
    goto *targets[x & 1];
first:
    return 1;
second:
    return 2;
}

int color_number(int c) {
    switch ((enum color)c) {
    case RED: return 1;
    case GREEN: return 2;
    case BLUE: return 3;
    }
    return 0;
}

typedef float four __attribute__((vector_size(16)));
four combine(four a, four b) { return a * b + a[0] + __builtin_shufflevector(a, b, 0, 5, 2, 7); }

void *work(void *argument) {
    atomic_fetch_add(&counter, 1);
    atomic_fetch_xor_explicit(&counter, 3, memory_order_relaxed);
    int expected = 1;
    atomic_compare_exchange_strong(&counter, &expected, 2);
    atomic_compare_exchange_weak_explicit(&counter, &expected, 2, memory_order_acq_rel, memory_order_acquire);
    atomic_thread_fence(memory_order_acquire);
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&counter, atomic_exchange(&counter, 4), memory_order_release);
    watched = per_thread++;
    return argument;
}

int assembler(int x) {
    int result;
    __asm__ volatile("# %0 %1" : "=r"(result) : "r"(x), "0"(1) : "memory");
    __asm__ goto("# %l0" : : : : out);
    return result;
out:
    return 0;
}

jmp_buf buffer;
int jump(void) {
    if (setjmp(buffer)) return 1;
    longjmp(buffer, 1);
}

int variable_length(int n) {
    int a[n][n];
    a[1][2] = 3;
    return a[n - 1][n - 1];
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(int argc, char **argv) {
    struct node n = {1, 0, 2, 3, {.whole = 4}, "xyz"};
    n.high = argc;
    printf("%d %s %f\n", n.value, names[1], (double)extended);
    struct big b = {{0}};
    b = change(b, 3);
    memcpy(matrix, &b, 40);
    qsort(matrix, 3, 16, compare);
    complex_number = complex_number * complex_number;
    if (perhaps) perhaps();
    if (argc > 5) abort();
    struct flexible *f = malloc(offsetof(struct flexible, items) + 3 * sizeof(char *));
    f->items[argc] = argv[0];
    uint16_t narrow = (uint16_t)(argc << 3);
    int64_t shifted = (int64_t)narrow >> 2 | (int64_t)-argc % 7;
    float single = (float)shifted / 3;
    return color_number(GREEN) + sum(2, 1, 2, 3.0) + (single > 1.5f) + table[0] ? table[0](1) : elsewhere;
}
