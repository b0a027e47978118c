/* what: two processes that each assign once, and end
 * one: violated
 * one weak: violated, spin differs: one assigns 1, then the other 2, and then both have ended: that is a run, and since nobody can move it is fair
 * either: holds
 * either weak: holds
 * later: violated
 */
byte n;

active proctype a() {
	n = 1
}

active proctype b() {
	n = 2
}

ltl one { <> [] (n == 1) }
ltl either { <> [] (n == 1 || n == 2) }
ltl later { [] (n == 2 -> <> (n == 1)) }
