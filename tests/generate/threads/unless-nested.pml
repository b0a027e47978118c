byte a, b;

active proctype main_part() {
	{
		{
			do
			:: printf("turn\n"); (a + b < 3)
			od
		} unless { a == 1 -> printf("inner\n"); b = 2; printf("after inner\n") }
	} unless { b == 1 -> printf("outer\n") };
	printf("end\n")
}

active proctype env_a() { a = 1; printf("a\n") }
active proctype env_b() { if :: b == 0 -> b = 1; printf("b\n") :: b != 0 fi }
