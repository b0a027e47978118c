/* expect: violated
 * fault: assertion 21
 * what: Leader election in a ring where two nodes have the same name: both take the other's message for their own.
 */
#define N	3

chan link[N] = [N] of { byte };         /* link[i] leads to node i */
byte leaders;

active [N] proctype node() {
	byte other;
	byte name = (_pid == 1 -> 1 : 2);       /* the mistake: 2, 1, 2 */
	link[(_pid + 1) % N]!name;
end:	do
	:: link[_pid]?other ->
		if
		:: other > name -> link[(_pid + 1) % N]!other
		:: other < name
		:: other == name ->
			leaders++;
			assert(leaders == 1)
		fi
	od
}
