/* An atomic that blocks in the middle lets others come in; then it goes on alone. */
byte go;

active proctype a() {
	atomic { printf("a1\n"); go == 1; printf("a2\n"); printf("a3\n") }
}

active proctype b() {
	printf("b1\n");
	go = 1;
	printf("b2\n");
	printf("b3\n")
}
