/* expect: violated
 * fault: deadlock
 * what: a process cannot shake hands with itself
 */
chan c = [0] of { byte };

active proctype P() {
	if
	:: c!1
	:: c?_
	fi
}
