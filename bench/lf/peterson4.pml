/* The twin of examples/lf/peterson4.lf: Peterson's algorithm for four processes. */
#define N	4

byte flag[N], turn[N];
byte inside;

proctype user(byte i) {
	byte j, k;
	do
	:: true ->
		for (k : 1 .. N - 1) {
			flag[i] = k;
			turn[k] = i;
			j = 0;
			do
			:: j == N -> break
			:: j < N && j == i -> j++
			:: j < N && j != i ->
				(flag[j] < k || turn[k] != i);
				j++
			od
		}
		inside++;
		assert(inside == 1);
		inside--;
		flag[i] = 0
	od
}

init {
	atomic { run user(0); run user(1); run user(2); run user(3) }
}
