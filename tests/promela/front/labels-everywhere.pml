/* expect: holds
 * states: 14
 * what: labels on every kind of statement
 */
byte x;

active proctype P() {
start:	x = 1;
blk:	{ x = 2 };
at:	atomic { x = 3; in: x = 4 };
ds:	d_step { x = 5; x = 6 };
sel:	if
	:: o1: x == 6 -> x = 7
	:: o2: x != 6 -> goto sel
	fi;
lop:	do
	:: x < 9 -> b1: x++
	:: x >= 9 -> goto fin
	od;
fin:	skip
}
