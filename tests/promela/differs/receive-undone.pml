/* expect: holds
 * states: 6
 * spin: differs
 * what: pan undoes a receive whose test names the variable it sets wrongly, and reports a fault that cannot happen
 */
chan q = [1] of { byte, byte };
byte a = 1;

active proctype S() { q!1,3 }

active proctype R() {
	if
	:: q?eval(a),a -> assert(a == 3)
	:: q??eval(a + 2),a -> assert(0)
	fi
}
