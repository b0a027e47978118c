// Variables whose types are written back.
typedef unsigned long size;
enum color { RED, GREEN = 5, BLUE = -1 };
union both {
    int i;
    float f;
};
struct hidden;
struct node {
    int value;
    unsigned low : 3, high : 5;
    struct node *next;
    union {
        long whole;
        double real;
    };
};

int show(struct node *list, int n) {
    int number = n;
    const char *text = "x";
    char *const fixed = 0;
    int four[4], grid[2][3], *pointers[3], (*to_array)[3] = 0;
    void (*callback)(int, ...) = 0;
    enum color shade = RED;
    union both either;
    size length = sizeof either;
    void *anything = four;
    int (*handlers[2])(struct node *) = {0, 0};
    _Atomic int shared = 0;
    volatile int watched = 1;
    struct hidden *hidden = 0;
    int variable[n];
    return number + watched + list->high;
}
