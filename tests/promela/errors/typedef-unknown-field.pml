/* expect: error
 * line: 9
 * what: a field that the structure does not have
 */
typedef T { byte a };
T t;

active proctype P() {
	t.b = 1 /* refused here */
}
