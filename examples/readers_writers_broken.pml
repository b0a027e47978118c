/* expect: violated
 * fault: assertion 22
 * what: Readers and writers where the counter of readers is not protected: a writer walks in on a reader.
 */
#define READERS	3
#define WRITERS	2

byte reading, writing;
bool room;              /* held by a writer, or by the readers together */

inline lock(mutex) { atomic { !mutex -> mutex = true } }
inline unlock(mutex) { mutex = false }

active [READERS] proctype reader() {
	do
	:: reading++;           /* the mistake: counting and deciding are two steps */
	   if
	   :: reading == 1 -> lock(room)        /* the first reader takes the room */
	   :: else
	   fi;

	   assert(writing == 0);

	   reading--;
	   if
	   :: reading == 0 -> unlock(room)      /* the last one gives it back */
	   :: else
	   fi
	od
}

active [WRITERS] proctype writer() {
	do
	:: lock(room);
	   writing++;
	   skip;
	   writing--;
	   unlock(room)
	od
}
