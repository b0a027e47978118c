/* expect: holds
 * states: 5
 * what: ltl blocks do not change what the safety check of the system sees
 */
bool p, q;

active proctype P() {
	p = true;
	q = true;
	p = false
}

ltl first { [] (p -> <> q) }
ltl second { <> [] !p && (p U q || !p) }
