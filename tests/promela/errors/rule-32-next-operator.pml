/* expect: error
 * line: 9
 * what: X is refused in formulae
 */
bool p;

active proctype P() { p = true }

ltl f { <> X p } /* refused here */
