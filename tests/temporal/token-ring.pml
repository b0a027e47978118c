/* what: a token goes round, and somebody else is busy
 * mutex: holds
 * passes: violated
 * passes weak: holds          who has the token can always move
 * passes strong: holds
 * order: holds                the token goes from 0 to 1, not to 2
 * stays: violated
 * stays weak: violated
 */
byte token, inside;

active [3] proctype node() {
	do
	:: token == _pid ->
		inside++;
cs:		inside--;
		token = (token + 1) % 3
	od
}

active proctype busy() {
	bit t;
	do
	:: t = 1 - t
	od
}

ltl mutex { [] (inside <= 1) }
ltl passes { [] <> node[1]@cs }
ltl order { [] (token == 0 -> ((token == 0 U token == 1) || [] (token == 0))) }
ltl stays { <> [] (token == 0) }
