/* The twin of examples/lf/semaphore.lf: a semaphore as a process, five clients. */
#define CLIENTS	5
#define COUNT	2

mtype = { p, v };
chan sem = [0] of { mtype };
byte inside;

active proctype semaphore() {
	byte count = COUNT;
	do
	:: count == 0 -> sem?v; count++
	:: count > 0 ->
		if
		:: sem?p -> count--
		:: sem?v -> count++
		fi
	od
}

active [CLIENTS] proctype client() {
	do
	:: sem!p;
		atomic { inside++; assert(inside <= COUNT) }
		inside--;
		sem!v
	od
}
