/* expect: holds
 * states: 299
 * what: Readers and writers: many may read at once, a writer is alone.
 */
#define READERS	3
#define WRITERS	2

byte reading, writing;
bool room;              /* held by a writer, or by the readers together */
bool counter;           /* protects `reading` */

inline lock(mutex) { atomic { !mutex -> mutex = true } }
inline unlock(mutex) { mutex = false }

active [READERS] proctype reader() {
	do
	:: lock(counter);
	   reading++;
	   if
	   :: reading == 1 -> lock(room)        /* the first reader takes the room */
	   :: else
	   fi;
	   unlock(counter);

	   assert(writing == 0);

	   lock(counter);
	   reading--;
	   if
	   :: reading == 0 -> unlock(room)      /* the last one gives it back */
	   :: else
	   fi;
	   unlock(counter)
	od
}

active [WRITERS] proctype writer() {
	do
	:: lock(room);
	   writing++;
	   assert(writing == 1 && reading <= 1);
	   writing--;
	   unlock(room)
	od
}
