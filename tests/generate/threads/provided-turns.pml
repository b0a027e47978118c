bool turn;

active proctype a() provided (!turn) {
	printf("a1\n"); printf("a2\n"); turn = true; printf("a3\n")
}

active proctype b() provided (turn) {
	printf("b1\n"); turn = false; printf("b2\n")
}

active proctype c() { printf("c\n"); turn = !turn; timeout; turn = !turn; timeout; turn = !turn }
