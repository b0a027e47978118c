/* The twin of examples/lf/philosophers.lf: five philosophers, five forks, each a process, messages only. */
#define N	5

mtype = { take, drop };
chan fork[N] = [0] of { mtype };

proctype fork_process(chan me) {
	do
	:: me?take; me?drop
	od
}

proctype philosopher(chan first, second) {
	do
	:: first!take; second!take; first!drop; second!drop
	od
}

init {
	atomic {
		run fork_process(fork[0]); run fork_process(fork[1]); run fork_process(fork[2]);
		run fork_process(fork[3]); run fork_process(fork[4]);
		run philosopher(fork[0], fork[1]); run philosopher(fork[1], fork[2]);
		run philosopher(fork[2], fork[3]); run philosopher(fork[3], fork[4]);
		run philosopher(fork[0], fork[4])
	}
}
