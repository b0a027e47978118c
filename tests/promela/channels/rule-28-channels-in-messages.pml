/* expect: holds
 * states: 56
 * what: a reply channel sent in the request
 */
chan requests = [2] of { chan, byte };

active proctype Server() {
	chan back;
	byte n;
end:	do
	:: requests?back,n -> back!n * 2
	od
}

active [2] proctype Client() {
	chan mine = [1] of { byte };
	byte answer;
	requests!mine,_pid;
	mine?answer;
	assert(answer == _pid * 2)
}
