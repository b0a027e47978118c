/* expect: holds
 * states: 3616192
 * transitions: 16650717
 * pan: 12.57 s CPU, 1707 MB (-O3 -DSAFETY -DNOREDUCE -DNOFAIR, -w24 -m12000000), vector 296 bytes, depth 1000582
 * what: A ring of nodes that pass numbered messages through buffered channels: a vector of 200 to 400 bytes, mostly channels.
 */
#ifndef N
#define N	7
#endif
#ifndef TOKENS
#define TOKENS	3
#endif
#define SLOTS	6

typedef Packet { byte from; byte hops; short sum };
chan link[N] = [SLOTS] of { Packet };
byte delivered;

active [N] proctype node() {
	Packet p;
	byte sent;
end:	do
	:: sent == 0 && _pid < TOKENS ->
		d_step {
			p.from = _pid; p.hops = 0; p.sum = _pid * 100;
			sent = 1
		};
		link[(_pid + 1) % N]!p
	:: link[_pid]?p ->
		if
		:: p.from == _pid ->
			assert(p.hops == N - 1 && p.sum == _pid * 100 + N - 1);
			delivered = (delivered + 1) % 4;
			sent = 0
		:: else ->
			d_step { p.hops = p.hops + 1; p.sum = p.sum + 1 };
			link[(_pid + 1) % N]!p
		fi;
		d_step { p.from = 0; p.hops = 0; p.sum = 0 }
	od
}
