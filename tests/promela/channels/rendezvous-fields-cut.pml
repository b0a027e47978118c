/* expect: holds
 * states: 11
 * what: the fields of a message are cut to their types on the way, before they are compared, and again when stored
 */
chan c = [0] of { byte, short, bit, int };
chan one = [0] of { bit };

active proctype S() {
	int n = 300;
	c!n,70000,3,70000;
	c!-1,-1,n,-1;
	c!n + 1,n * 200,1,n;
	one!3
}

active proctype R() {
	byte a; short b; bit x; int d; byte wide; byte e;
	c?a,b,x,d;
	assert(a == 44 && b == 4464 && x == 1 && d == 70000);
	c?a,b,x,e;
	assert(a == 255 && b == -1 && x == 0 && e == 255);
	if
	:: c?45,b,1,a -> assert(b == -5536 && a == 44)
	:: c?301,b,_,d -> assert(false)
	fi;
	one?wide;
	assert(wide == 3 || wide == 1)
}
