/* expect: holds
 * states: 6018
 * what: The sieve of Eratosthenes as a growing chain of processes, one for each prime.
 */
#define LAST	12
#define PRIMES	5       /* 2, 3, 5, 7, 11 */

byte found;

/* The first number that arrives is a prime; the rest is passed on unless it is a multiple. */
proctype filter(chan numbers) {
	chan next = [1] of { byte };
	byte prime, n;
	bool started;

	numbers?prime;
	if
	:: prime == 0 -> goto done
	:: else
	fi;
	found++;
	do
	:: numbers?n ->
		if
		:: n == 0 -> break
		:: n != 0 && n % prime == 0     /* no prime */
		:: n != 0 && n % prime != 0 ->
			if
			:: !started -> started = true; run filter(next)
			:: else
			fi;
			next!n
		fi
	od;
	if
	:: started -> next!0
	:: else
	fi;
done:
	skip
}

init {
	chan numbers = [1] of { byte };
	byte n;
	run filter(numbers);
	for (n : 2 .. LAST) {
		numbers!n
	}
	numbers!0;
	_nr_pr == 1;
	assert(found == PRIMES)
}
