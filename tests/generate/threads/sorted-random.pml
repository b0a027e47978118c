chan q = [5] of { byte, short };

active proctype p() {
	byte a; short b;
	q!!3,-1; q!!1,5; q!!3,-2; q!2,0; q!!2,7;
	printf("%d messages\n", len(q));
	if
	:: q??[2,_] -> printf("a two is there\n")
	fi;
	q??2,b -> printf("two with %d\n", b);
	q?<a,b> -> printf("first %d %d\n", a, b);
	q??eval(a + 2),b -> printf("three with %d\n", b);
	do
	:: nempty(q) -> q?a,b; printf("%d %d\n", a, b)
	:: empty(q) -> break
	od
}
