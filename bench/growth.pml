/* Four counters below K: K^4 states, four steps from each. Shows how time and memory grow:
 *   auspex check bench/growth.pml -D K=85
 */
#ifndef K
#define K	27
#endif

active [4] proctype counter() {
	byte n;
end:	do
	:: atomic { n < K - 1 -> n++ }
	:: atomic { n == K - 1 -> n = 0 }
	od
}
