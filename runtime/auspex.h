/* What a program may ask of Auspex. Include it in the program under test; outside of Auspex these functions do not exist. */
#ifndef AUSPEX_H
#define AUSPEX_H

#ifdef __cplusplus
extern "C" {
#endif

/* Any of 0 .. n-1; every one is explored. */
int __auspex_choose(int n);

/* A run in which the condition is false is not looked at further. */
void __auspex_assume(int condition);

/* No other thread comes in between begin and end. They nest. A blocking call inside undoes everything since the outermost
   begin and tries it again later. */
void __auspex_atomic_begin(void);
void __auspex_atomic_end(void);

/* For temporal properties: the proposition `name` holds in the state that this call leads to, and in no other. */
void __auspex_event(const char *name);

#ifdef __cplusplus
}
#endif
#endif
