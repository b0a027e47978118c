/* expect: holds
 * states: 6
 * what: the forms of constants
 */
byte x;

active proctype P() {
	assert('a' == 97 && '0' == 48);
	assert(true == 1 && false == 0 && skip == 1);
	x = '\n';
	assert(x == 10)
}
