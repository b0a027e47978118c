/* Between the programs under test and the harness. */
struct program {
    const char *name;
    void (*main)(void);
    const char *expected[8]; /* every outcome that there is, "exit 0" for a good one */
    const char *input;
    int once; /* no threads: one run will do */
};

extern const struct program programs[];

void native_check(int condition, const char *text);
unsigned long native_state(void); /* of all variables of the runtime and the programs, in a number */
void restore_runtime(void);
int compare_libc(void);

#define CHECK(condition) native_check(condition, #condition)
