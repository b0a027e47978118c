/* expect: violated
 * fault: processes 14
 * what: one process more than 255 is an error
 */
bool go;

proctype Sleeper() {
	go
}

active proctype Boss() {
	byte n;
	do
	:: n < 255 -> run Sleeper(); n++
	:: else -> break
	od;
	go = true
}
