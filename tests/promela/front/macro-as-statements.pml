/* expect: holds
 * states: 243
 * what: macros that stand for pieces of control flow
 */
#define lock(m)		atomic { !m -> m = true }
#define unlock(m)	m = false
#define forever		do :: true ->
#define end_forever	od

bool mutex;
byte inside;

active [2] proctype P() {
	byte n;
	forever
		lock(mutex);
		inside++;
		assert(inside == 1);
		inside--;
		unlock(mutex);
		n++;
		if
		:: n == 2 -> break
		:: else
		fi
	end_forever
}
