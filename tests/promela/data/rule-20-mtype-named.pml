/* expect: holds
 * states: 7
 * what: named sets are numbered each from 1
 */
mtype:fruit = { apple, pear };
mtype:size = { small, large, huge };
mtype = { plain };

mtype:fruit f = apple;
mtype:size s = huge;

active proctype P() {
	assert(apple == 2 && pear == 1);
	assert(small == 3 && large == 2 && huge == 1);
	assert(plain == 1);
	assert(f == apple && s == huge);
	f = pear
}
