mtype = { idle, busy, done };
mtype:colour = { blue, pink };
mtype state = idle;
mtype:colour c = pink;

inline enter(s) { byte local_one; local_one++; state = s; printf("%e %d\n", state, local_one) }

active proctype p() {
	enter(busy);
	enter(done);
	printm(state);
	printf(" and %e, none %e\n", c, 0);
	printf("%d %u %x %o %c %%\n", -1, 7, 255, 8, 65)
}
