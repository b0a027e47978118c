/* expect: holds
 * states: 28
 * what: all the choices inside an atomic are explored
 */
byte x;

active [2] proctype P() {
	atomic {
		if
		:: x = x + 1
		:: x = x + 2
		:: x = x + 3
		fi;
		if
		:: x > 3 -> x = 0
		:: x <= 3 -> skip
		:: true
		fi
	}
}
