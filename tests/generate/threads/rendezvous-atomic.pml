/* Rule 12: the sender loses its atomic, a receiver in one runs on. */
chan c = [0] of { byte };

active proctype sender() {
	atomic { printf("s1\n"); c!1; printf("s2\n"); printf("s3\n") }
}

active proctype receiver() {
	byte x;
	atomic { c?x; printf("r%d\n", x); printf("r\n") }
}

active proctype other() {
	printf("o1\n"); printf("o2\n")
}
