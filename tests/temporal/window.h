/* Go back n with a window of two: numbers are sent modulo MODULUS, with the true number as a ghost. */
#define LAST 4

chan data = [2] of { byte, byte };
chan ack = [1] of { byte };
byte base, ahead;
byte expected;
bool wrong;

active proctype sender() {
	byte a;
	do
	:: atomic { ahead < base + 2 && ahead < LAST && nfull(data) ->
			data!(ahead % MODULUS),ahead; ahead++ }
	:: atomic { ack?a;
			if
			:: a == (base + 1) % MODULUS && base < ahead -> base++
			:: a == (base + 2) % MODULUS && base + 1 < ahead -> base = base + 2
			:: else
			fi; a = 0 }
	:: atomic { base < ahead -> ahead = base }
	od
}

active proctype receiver() {
	byte s, n;
	do
	:: atomic { data?s,n;
			if
			:: s == expected % MODULUS && expected <= LAST -> wrong = wrong || n != expected; expected++
			:: else
			fi; s = 0; n = 0 };
		ack!(expected % MODULUS)
	od
}

active proctype noise() {
	do
	:: ack?_
	od
}

ltl order { [] !wrong }
ltl arrives { <> (expected >= LAST) }
ltl window { [] (ahead <= base + 2) }
