/* expect: violated
 * fault: deadlock
 * what: a deadlock after a handshake, which pan misses breadth-first
 */
chan c = [0] of { byte };
chan d = [0] of { byte };

active proctype A() {
	if
	:: c!1; d!1
	:: d!1; c!1
	fi
}

active proctype B() {
	if
	:: c?_; d?_
	:: d?_; d?_
	fi
}
