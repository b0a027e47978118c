/* expect: holds
 * states: 1370901
 * transitions: 5718827
 * pan: 2.38 s CPU, 837 MB (-O3 -DSAFETY -DNOREDUCE -DNOFAIR, -w24 -m12000000), vector 108 bytes, depth 135488
 * what: A file transfer: a client opens a session over a lossy line, sends blocks with stop-and-wait, and closes it.
 */
#ifndef BLOCKS
#define BLOCKS	8
#endif
#ifndef SLOTS
#define SLOTS	12
#endif

mtype = { connect, accept, block, ack, close, closed };

chan to_server = [SLOTS] of { mtype, byte, byte };      /* what, session, number */
chan to_client = [SLOTS] of { mtype, byte, byte };

#define SESSIONS	4

active proctype client() {
	byte session, n, s, k;
	mtype what;
start:
	n = 0;
end_c:	do
	:: to_server!connect,session,0
	:: to_client?what,s,k ->
		if
		:: what == accept && s == session -> break
		:: else
		fi
	od;
end_b:	do
	:: n < BLOCKS && nfull(to_server) -> to_server!block,session,n
	:: to_client?what,s,k ->
		if
		:: what == ack && s == session && k == n -> n++
		:: else
		fi
	:: n == BLOCKS -> break
	od;
end_d:	do
	:: to_server!close,session,0
	:: to_client?what,s,k ->
		if
		:: what == closed && s == session -> break
		:: else
		fi
	od;
	session = (session + 1) % SESSIONS;
	goto start
}

active proctype server() {
	byte session = SESSIONS, expected, s, k;
	mtype what;
	bool open;
end:	do
	:: to_server?what,s,k ->
		if
		:: what == connect ->
			if
			:: !open -> open = true; session = s; expected = 0
			:: else
			fi;
			if
			:: session == s -> to_client!accept,s,0
			:: else
			fi
		:: what == block ->
			if
			:: open && s == session && k == expected -> expected++; to_client!ack,s,k
			:: open && s == session && k < expected -> to_client!ack,s,k
			:: else -> skip
			fi
		:: what == close ->
			if
			:: open && s == session -> assert(expected == BLOCKS); open = false
			:: else
			fi;
			to_client!closed,s,0
		fi;
		d_step { what = 0; s = 0; k = 0 }
	od
}

active proctype noise() {
end:	do
	:: to_server?_,_,_
	:: to_client?_,_,_
	od
}
