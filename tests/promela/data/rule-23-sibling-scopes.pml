/* expect: holds
 * states: 146
 * what: sibling blocks may use the same name
 */
byte sum;

active [2] proctype P() {
	{
		byte x = 1;
		sum = sum + x
	}
	{
		byte x = 2;
		sum = sum + x
	}
	if
	:: true -> {
		byte y = 3;
		sum = sum + y
	   }
	:: true -> {
		int y = 4;
		sum = sum + y
	   }
	fi
}
