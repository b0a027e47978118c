/* expect: holds
 * states: 236
 * what: A traffic controller: two roads cross, cars and pedestrians arrive as they like, nobody meets on the crossing.
 */
mtype = { red, yellow, green };

mtype light[3] = red;                   /* the lights of the two roads and of the pedestrians */
bool waiting[3];                        /* who has pressed the button or stands on the loop */
byte crossing[3];                       /* who is on the crossing now */

#define ROAD_N	0
#define ROAD_E	1
#define FOOT	2

/* Green while somebody waits, then yellow, then red when the crossing is empty. */
inline serve(way) {
	light[way] = green;
	do
	:: waiting[way] -> waiting[way] == false
	:: true -> break
	od;
	light[way] = yellow;
	crossing[way] == 0;
	light[way] = red
}

active proctype controller() {
end:	do
	:: waiting[ROAD_N] -> serve(ROAD_N)
	:: waiting[ROAD_E] -> serve(ROAD_E)
	:: waiting[FOOT] -> serve(FOOT)
	od
}

active [3] proctype traffic() {
	byte way = _pid - 1;
end:	do
	:: waiting[way] = true;
	   atomic { light[way] == green -> crossing[way]++; waiting[way] = false };
	   assert(crossing[(way + 1) % 3] == 0 && crossing[(way + 2) % 3] == 0);
	   crossing[way]--
	od
}
