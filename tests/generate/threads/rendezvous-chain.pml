/* The receiver of one handshake is the sender of the next one. */
#define N 4
chan c[N] = [0] of { byte };

active [N] proctype link() {
	byte x;
	if
	:: _pid == 0 -> c[0]!10
	:: else -> c[_pid - 1]?x; printf("%d: %d\n", _pid, x);
		if
		:: _pid < N - 1 -> c[_pid]!x + 1
		:: else
		fi
	fi
}
