/* expect: violated
 * fault: deadlock
 * what: an if that begins an option is flattened into the outer one
 */
byte x;

active [2] proctype P() {
	do
	:: if
	   :: x < 2 -> x++
	   :: x == 2 -> x = 5
	   fi
	:: x >= 5 -> break
	od
}
