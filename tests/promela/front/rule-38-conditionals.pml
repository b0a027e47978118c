/* expect: holds
 * states: 3
 * what: #if with expressions, #ifdef, #undef, #elif
 */
#define A 2
#define B

#if A > 1 && defined(B)
byte x = 1;
#else
byte x = 2;
#endif

#ifdef C
#error never
#elif A == 2
byte y = 3;
#else
byte y = 4;
#endif

#undef B
#ifndef B
byte z = 5;
#endif

#if 0
this is no Promela
#endif

active proctype P() {
	assert(x == 1 && y == 3 && z == 5)
}
