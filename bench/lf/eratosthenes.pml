/* The twin of examples/lf/eratosthenes.lf: a growing chain of filters. 0 is the signal `end`. */
#define LAST	16
#define PRIMES	6

byte found;

proctype filter(chan in) {
	chan next = [0] of { byte };
	byte prime, n;
	bool started;

	in?prime;
	found++;
	do
	:: in?n ->
		if
		:: n == 0 -> break
		:: n != 0 && n % prime != 0 ->
			if
			:: !started -> run filter(next); started = true
			:: else
			fi;
			next!n
		:: n != 0 && n % prime == 0
		fi;
		n = 0
	od;
	if
	:: !started -> assert(found == PRIMES)
	:: started -> next!0
	fi
}

proctype generator(chan out) {
	byte i;
	for (i : 2 .. LAST) {
		out!i
	}
	out!0
}

init {
	chan first = [0] of { byte };
	atomic { run generator(first); run filter(first) }
}
