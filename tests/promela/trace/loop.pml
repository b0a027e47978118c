/* expect: holds
 * states: 12
 * what: a protocol that the assertion allows, again and again, over two channels
 */
mtype = { req, ack };
chan up = [1] of { mtype, bit };
chan down = [1] of { mtype, bit };

active proctype client() {
	bit n;
	do
	:: up!req,n; down?ack,eval(n); n = 1 - n
	od
}

active proctype server() {
	bit n;
	do
	:: up?req,n; down!ack,n
	od
}

trace {
	do
	:: up!req,0; down!ack,0; up!req,1; down!ack,1
	od
}
