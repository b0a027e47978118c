/* expect: holds
 * states: 1029684
 * transitions: 4486501
 * pan: 2.72 s CPU, 742 MB (-O3 -DSAFETY -DNOREDUCE -DNOFAIR, -w24 -m12000000), vector 60 bytes, depth 1567961
 * what: Selective repeat: a window of frames over a line that loses and reorders nothing, with acknowledgements.
 */
#ifndef WINDOW
#define WINDOW	3
#endif
#define NUMBERS	(2 * WINDOW)
#define VALUES	(2 * NUMBERS)

chan frames = [3] of { byte, byte };
chan acks = [2] of { byte };

active proctype sender() {
	byte base, i, seq;
	bool sent[WINDOW];
	bool acked[WINDOW];
end:	do
	:: atomic {
		nfull(frames) ->
		/* Send, or send again, any frame of the window. */
		select (i : 0 .. WINDOW - 1);
		if
		:: !acked[i] -> frames!((base + i) % NUMBERS),((base + i) % VALUES); sent[i] = true
		:: else
		fi;
		i = 0
	   }
	:: atomic {
		acks?seq ->
		i = 0;
		do
		:: i < WINDOW && (base + i) % NUMBERS == seq && sent[i] -> acked[i] = true; break
		:: i < WINDOW && !((base + i) % NUMBERS == seq && sent[i]) -> i++
		:: i >= WINDOW -> break
		od;
		/* Move the window over all that is acknowledged at its start. */
		do
		:: acked[0] ->
			i = 0;
			do
			:: i < WINDOW - 1 -> acked[i] = acked[i + 1]; sent[i] = sent[i + 1]; i++
			:: else -> break
			od;
			acked[WINDOW - 1] = false;
			sent[WINDOW - 1] = false;
			base = (base + 1) % VALUES
		:: else -> break
		od;
		i = 0; seq = 0
	   }
	od
}

active proctype receiver() {
	byte next, seq, value, i, offset;
	bool here[WINDOW];
	byte held[WINDOW];
end:	do
	:: atomic {
		frames?seq,value ->
		offset = (seq + NUMBERS - next % NUMBERS) % NUMBERS;
		if
		:: offset < WINDOW ->
			assert(value == (next + offset) % VALUES);
			here[offset] = true;
			held[offset] = value
		:: else
		fi;
		offset = 0; value = 0
	   };
	   acks!seq;
	   atomic {
		seq = 0;
		do
		:: here[0] ->
			assert(held[0] == next);
			i = 0;
			do
			:: i < WINDOW - 1 -> here[i] = here[i + 1]; held[i] = held[i + 1]; i++
			:: else -> break
			od;
			here[WINDOW - 1] = false;
			held[WINDOW - 1] = 0;
			next = (next + 1) % VALUES
		:: else -> break
		od;
		i = 0
	   }
	od
}

active proctype thief() {
end:	do
	:: frames?_,_
	:: acks?_
	od
}
