/* expect: violated
 * fault: assertion 14
 * spin: differs
 * what: pan undoes a receive from the variable, not from the message: a value that was cut on receipt comes back wrong
 */
chan q = [1] of { byte };
bit narrow;
byte wide;

active proctype P() {
	q!2;
	if
	:: q?narrow
	:: q?wide; assert(wide != 2)
	fi
}
