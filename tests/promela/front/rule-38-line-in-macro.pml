/* expect: violated
 * fault: assertion 15
 * what: the line of a fault is that of the user's file
 */
#define CHECK(e)	assert(e)
#define LIMIT	3

byte x;
// a comment of the other kind
active proctype P() {
	do
	:: x < LIMIT -> x++
	:: else -> break
	od;
	CHECK(x < LIMIT)
}
