/* expect: holds
 * states: 15
 * what: separators are ; or ->, doubled and trailing ones are allowed
 */
byte x;

active proctype P() {
	x = 1 -> x = 2 -> x = 3;
	{ x = 4; };
	if
	:: x == 4; x = 5;
	:: else -> x = 6;
	fi;
	do
	:: x < 7 -> x++;
	:: x == 7; break;
	od;
	atomic { x = 8; } ;
	x = 9;
}
