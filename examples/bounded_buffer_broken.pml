/* expect: violated
 * fault: deadlock
 * what: A bounded buffer that takes the lock before it waits for room: all wait for each other.
 */
#define SLOTS	3
#define ITEMS	3       /* for each producer */

byte slot[SLOTS];
byte in_at, out_at;
byte free = SLOTS, used;        /* semaphores */
bool lock;
byte received[2];

inline down(semaphore) { atomic { semaphore > 0 -> semaphore-- } }
inline up(semaphore) { semaphore++ }
inline acquire() { atomic { !lock -> lock = true } }
inline release() { lock = false }

active [2] proctype producer() {
	byte n;
	do
	:: n < ITEMS ->
		n++;
		acquire();             /* the mistake: waiting for room with the lock held */
		down(free);
		assert(slot[in_at] == 0);
		slot[in_at] = _pid * 10 + n;
		in_at = (in_at + 1) % SLOTS;
		release();
		up(used)
	:: else -> break
	od
}

active proctype consumer() {
	byte n, item, who;
	do
	:: n < 2 * ITEMS ->
		n++;
		down(used);
		acquire();
		item = slot[out_at];
		slot[out_at] = 0;
		out_at = (out_at + 1) % SLOTS;
		release();
		up(free);
		/* The items of each producer arrive in order. */
		who = item / 10;
		assert(item % 10 == received[who] + 1);
		received[who] = item % 10
	:: else -> break
	od
}
