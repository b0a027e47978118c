/* expect: holds
 * states: 12
 * spin: differs
 * what: of nested escapes the outermost wins, also where a loop begins; there pan takes any of them, since it gives the loop
 * the transitions of an inner escape that has got those of the outer ones before; its own simulator does not
 */
byte x, y;

active proctype A() {
	do
	:: { x = 1; x = 0 } unless { y == 1 -> assert(false) }
	od unless { y == 1 -> skip }
}

active proctype B() { do :: y = 1 :: y = 0 od }
