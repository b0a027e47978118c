/* expect: holds
 * states: 4839
 * what: atomic, d_step, rendezvous, unless, timeout and run together
 */
mtype = { job, stop, result };
chan work = [0] of { mtype, byte };
chan results = [2] of { mtype, byte, pid };
byte finished, checksum;

proctype worker(byte factor) {
	byte n;
	{
		do
		:: atomic { work?job,n -> n = n * factor };
		   d_step { n = (n + 1) % 8; checksum = (checksum + n) % 16 };
		   results!result,n,_pid
		od
	} unless {
		work?stop,_
	};
	finished++
}

init {
	byte i, n;
	pid who;
	atomic { run worker(2); run worker(3) };
	do
	:: i < 4 && len(results) < 2 -> work!job,i; i++
	:: results?result,n,who -> assert(who == 1 || who == 2)
	:: i == 4 && empty(results) -> break
	od;
	do
	:: work!stop,0
	:: results?result,_,_
	:: timeout -> break
	od;
	assert(finished <= 2)
}
