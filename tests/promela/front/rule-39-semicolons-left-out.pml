/* expect: holds
 * states: 16
 * what: a separator at the end of a line may be left out
 */
byte x
byte y = 2

active proctype P() {
	byte a
	a = 1
	x = a
	if
	:: x == 1 ->
		x = 2
		y = 3
	:: else
	fi
	do
	:: x < 5
		x++
	:: else ->
		break
	od
	assert(x == 5)
	assert(y == 3)
}
