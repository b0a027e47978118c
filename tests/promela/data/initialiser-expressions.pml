/* expect: holds
 * states: 3
 * what: initialisers may be expressions
 */
#define N 3
byte a = N * 2 + 1;
byte b = (N > 2 -> 10 : 20);
int c = -N;

active proctype P() {
	assert(a == 7 && b == 10 && c == -3)
}
