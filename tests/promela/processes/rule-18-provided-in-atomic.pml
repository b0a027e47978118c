/* expect: holds
 * states: 17
 * what: the condition becomes false inside an atomic
 */
byte x;
bool go = true;

active proctype P() provided (go) {
	atomic { x = 1; go = false; x = 2; x = 3 };
	x = 4
}

active proctype Q() {
	byte y;
	!go;
	y = x;
	go = true;
	y = x
}
