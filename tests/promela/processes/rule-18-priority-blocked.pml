/* expect: holds
 * states: 11
 * what: a blocked process of high priority lets others move
 */
byte x;

active proctype Low() priority 2 {
	x = 1;
	x = 2;
	x = 3
}

active proctype High() priority 9 {
	x == 2;
	x = 7
}

active proctype Mid() priority 4 {
	x > 0;
	x++
}
