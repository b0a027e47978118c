/* expect: violated
 * fault: trace 18
 * what: a server that answers the same number twice
 */
mtype = { req, ack };
chan up = [1] of { mtype, bit };
chan down = [1] of { mtype, bit };

active proctype client() {
	bit n;
	do
	:: up!req,n; down?ack,_; n = 1 - n
	od
}

active proctype server() {
	do
	:: up?req,_; down!ack,0
	od
}

trace {
	do
	:: up!req,0; down!ack,0; up!req,1; down!ack,1
	od
}
