/* expect: violated
 * fault: bounds
 * line: 10
 * what: writes past the end of a global array
 */
static short table[10];

static void set(int index, short value)
{
	table[index] = value; /* here */
}

int main(void)
{
	set(9, 1);
	set(10, 2);
	return 0;
}
