/* expect: violated
 * fault: dangling
 * line: 18
 * what: a variable ends with its block, not with its function; in a loop it begins again
 */
int main(void)
{
	int *p = 0, sum = 0;
	for (int i = 0; i < 3; i++) {
		int x = i;
		p = &x;
		sum += *p;
	}
	{
		int y = 2;
		p = &y;
	}
	return *p + sum; /* here */
}
