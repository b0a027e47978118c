chan q = [2] of { byte };
byte x = 3, total;

inline swap(u, v) { d_step { t = u; u = v; v = t } }

active proctype p() {
	byte t, i, y = 8;
	swap(x, y);
	printf("%d %d\n", x, y);
	d_step {
		i = 0;
		do
		:: i < 4 -> total = total + i; i++
		:: else -> break
		od;
		if
		:: total > 5 -> q!total
		:: total > 2 -> q!0
		:: else -> assert(false)
		fi;
		q!total + 1;
		printf("total %d\n", total)
	};
	d_step { q?t; printf("took %d\n", t); total = 0 };
	d_step { if :: q?t -> printf("and %d\n", t) :: else -> printf("nothing\n") fi }
}

active proctype other() { (total == 0); printf("total is 0\n") }
