/* The twin of examples/lf/buffer.lf: a bounded buffer of 20 slots as a process. */
#define SLOTS	20
#define VALUES	4

chan in = [0] of { byte };
chan out = [0] of { byte };

active proctype buffer() {
	byte slot[SLOTS];
	byte first, n, x;
again:	if
	:: n == 0 -> in?x -> goto keep
	:: n == SLOTS -> out!slot[first] -> goto drop
	:: else ->
		if
		:: in?x -> goto keep
		:: out!slot[first] -> goto drop
		fi
	fi;
keep:	atomic {
		slot[(first + n) % SLOTS] = x; x = 0;
		n++;
		goto again
	}
drop:	atomic {
		slot[first] = 0;
		n--;
		if
		:: n == 0 -> first = 0
		:: else -> first = (first + 1) % SLOTS
		fi;
		goto again
	}
}

active proctype producer() {
	byte i;
	do
	:: in!i -> i = (i + 1) % VALUES
	od
}

active proctype consumer() {
	byte i, x;
	do
	:: out?x -> assert(x == i); i = (i + 1) % VALUES
	od
}
