/* expect: holds
 * states: 5
 * what: __LINE__ and stringless use of predefined macros
 */
byte x;

active proctype P() {
	x = __LINE__;
	assert(x == 8);
#ifdef unix
	x = unix
#endif
}
