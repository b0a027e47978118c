/* expect: holds
 * states: 28
 * what: a local rendezvous channel passed in a message
 */
chan door = [0] of { chan };
byte sum;

active proctype Server() {
	chan back;
	door?back;
	back!5;
	door?back;
	back!6
}

active [2] proctype Client() {
	chan mine = [0] of { byte };
	byte v;
	door!mine;
	mine?v;
	sum = sum + v
}
