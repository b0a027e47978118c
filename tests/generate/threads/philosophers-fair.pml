#define N 3
chan fork[N] = [1] of { bit };

proctype philosopher(byte left, right) {
	byte meals;
	do
	:: meals < 2 ->
		fork[left]?_; fork[right]?_;
		printf("%d eats\n", _pid);
		fork[left]!0; fork[right]!0;
		meals++
	:: else -> break
	od
}

init {
	byte i;
	for (i : 0 .. N - 1) { fork[i]!0 };
	atomic {
		run philosopher(0, 1);
		run philosopher(1, 2);
		run philosopher(0, 2)
	}
}
