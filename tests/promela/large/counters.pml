/* expect: holds
 * states: 111151
 * what: four counters, a hundred thousand states
 */
#define N	4

byte n[N];

active [N] proctype P() {
	do
	:: n[_pid] < 8 -> n[_pid]++
	:: n[_pid] == 8 -> break
	od
}
