/* expect: holds
 * states: 11
 * what: structures within structures, with arrays
 */
typedef Point { short x, y };
typedef Line { Point from, to; byte tag[2] };
typedef Picture { Line line[2]; byte n };

Picture pic;

active proctype P() {
	pic.line[1].from.x = -5;
	pic.line[1].to.y = 7;
	pic.line[pic.n].tag[1] = 3;
	pic.n++;
	pic.line[pic.n].tag[1] = 4;
	assert(pic.line[1].from.x + pic.line[1].to.y == 2);
	assert(pic.line[0].tag[1] == 3 && pic.line[1].tag[1] == 4);
	pic.line[0].from.x = pic.line[1].from.x;
	assert(pic.line[0].from.x == -5 && pic.line[0].from.y == 0)
}
