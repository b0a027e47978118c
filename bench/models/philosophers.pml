/* expect: holds
 * states: 3695403
 * transitions: 33766539
 * pan: 21.19 s CPU, 931 MB (-O3 -DSAFETY -DNOREDUCE -DNOFAIR, -w24 -m12000000), vector 124 bytes, depth 4982216
 * what: N dining philosophers, one of them left-handed, who take forks one after the other: the classic scaling model.
 */
#ifndef N
#define N	13
#endif

bool taken[N];

active [N] proctype philosopher() {
	byte first = (_pid == N - 1 -> 0 : _pid);
	byte second = (_pid == N - 1 -> N - 1 : _pid + 1);
	do
	:: atomic { !taken[first] -> taken[first] = true };
	   atomic { !taken[second] -> taken[second] = true };
	   taken[second] = false;
	   taken[first] = false
	od
}
