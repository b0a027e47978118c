/* expect: holds
 * states: 43
 * what: the channel is known only when it runs: from a variable, a parameter, an array, a message
 */
chan all[3] = [0] of { byte, chan };
chan buffered = [1] of { byte, chan };
byte sum;

proctype Worker(chan task; byte n) {
	chan back;
	byte v;
	task?v,back;
	if
	:: back!v + n
	:: all[n]?v,_
	fi
}

init {
	chan mine = [0] of { byte };
	chan to;
	byte i, v;
	atomic {
		run Worker(all[0], 0);
		run Worker(all[1], 1);
		run Worker(buffered, 2)
	};
	do
	:: i < 3 ->
		to = all[i];
		if
		:: i == 2 -> to = buffered
		:: i != 2
		fi;
		to!i,mine;
		mine?v;
		sum = sum + v;
		i++
	:: i == 3 -> break
	od;
	assert(sum == 6)
}
