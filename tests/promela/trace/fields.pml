/* expect: holds
 * states: 6
 * what: constants, _, eval, and fields that are not mentioned
 */
chan w = [1] of { byte, byte, short };
byte x = 7;

active proctype P() {
	w!1,2,-3;
	w?1,2,-3;
	w!4,7,0;
	w?4,_,_
}

trace {
	w!1,_; w?1,2,-3;
	w!4; w?_,eval(x),_
}
