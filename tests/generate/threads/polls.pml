chan q = [2] of { mtype, byte };
mtype = { ping, pong };

active proctype a() {
	q!ping,1; q!pong,2; printf("both\n")
}

active proctype b() {
	byte n, x;
	do
	:: q?[ping,_] -> q?ping,x; printf("ping %d\n", x); n++
	:: !q?[ping,_] && q??[pong,2] -> q??pong,x; printf("pong %d\n", x); n++
	:: n == 2 -> break
	od;
	assert(len(q) == 0 && nfull(q))
}
