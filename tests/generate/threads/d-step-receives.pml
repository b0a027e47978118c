/* A d_step that begins with a choice of receives, handshakes among them: the first that can run does. */
chan c = [0] of { byte };
chan d = [0] of { byte };
chan q = [2] of { byte };
byte done;

active proctype s() {
	c!1;
	printf("s: one\n");
	q!2; q!3;
	d!4;
	done = 1
}

active proctype other() {
	done == 1;
	atomic { d!5; printf("other\n") };
	c!6;
	q!7
}

active proctype r() {
	byte v, n;
	do
	:: n < 4 ->
		d_step {
			if
			:: d?v -> printf("d %d\n", v)
			:: q?v -> printf("q %d\n", v); v++
			:: c?v -> printf("c %d\n", v)
			fi;
			n++;
			printf("n %d, v %d\n", n, v)
		}
	:: else -> break
	od;
	printf("half\n");
end_of_messages:
	d_step {
		do
		:: n == 6 -> break
		:: d?v -> printf("d %d\n", v); n = 6
		:: q?v -> printf("more %d\n", v); n++
		:: n == 5 -> n++
		od
	};
	printf("and now\n");
end_of_numbers:
	d_step {
		if
		:: c?6 -> n = 9
		:: c?v -> assert(false)
		:: d?eval(v) -> assert(false)
		fi;
		printf("n %d\n", n)
	};
end:	do
	:: q?v -> printf("%d\n", v)
	:: d?v -> printf("%d\n", v)
	od
}
