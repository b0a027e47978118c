/* expect: violated
 * fault: uninitialised
 * line: 13
 * what: a variable of a block has no value when the block is entered again
 */
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 2; i++) {
		int x;
		if (i == 0)
			x = 5;
		if (x == 5)
			sum++;
	}
	return sum > 2;
}
