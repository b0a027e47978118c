/* expect: holds
 * states: 13
 * what: local and show change nothing
 */
local byte a;
show byte b;

active [2] proctype P() {
	local byte c = 1;
	show byte d = 2;
	a = c;
	b = d
}
