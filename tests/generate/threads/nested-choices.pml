/* Selections at the beginning of options are one choice with them. */
byte x;

active proctype p() {
	byte n;
	do
	:: n < 4 ->
		n++;
		if
		:: if
		   :: x == 0 -> printf("none\n")
		   :: x == 1 -> printf("one\n")
		   fi;
		   printf("from the inner\n")
		:: do
		   :: x == 2 -> printf("two\n"); x = 0
		   :: x == 1 -> printf("leave\n"); break
		   :: x == 0 || x > 2 -> printf("other\n"); break
		   od
		:: atomic { x > 2 -> printf("many\n"); x = 1 }
		fi
	:: else -> break
	od
}

active proctype q() {
	do
	:: x < 3 -> x++
	:: break
	od
}
