/* expect: violated
 * fault: dangling
 * line: 14
 * what: a pointer to the variable of the round before
 */
int main(void)
{
	int *p = 0;
	int sum = 0;
	for (int i = 0; i < 3; i++) {
		int x = i;
		if (i == 2)
			/* here */
			sum += *p;
		p = &x;
	}
	return sum > 5;
}
