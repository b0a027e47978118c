/* expect: violated
 * fault: index 12
 * what: an index inside a structure
 */
typedef Row { byte cell[2] };
Row row[2];
byte i;

active proctype P() {
	row[1].cell[i] = 1;
	i = 2;
	row[1].cell[i] = 2
}
