/* expect: holds
 * states: 7
 * what: ++ and -- on every kind of place
 */
typedef T { byte f; byte g[2] };
T t;
byte a[2];
short s;

active proctype P() {
	t.f++;
	t.g[1]--;
	a[t.f]++;
	s--;
	assert(t.f == 1 && t.g[1] == 255 && a[1] == 1 && s == -1)
}
