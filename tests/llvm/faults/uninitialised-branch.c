/* expect: violated
 * fault: uninitialised
 * line: 11
 * what: an if on a variable that was never set
 */
int main(void)
{
	int x;
	int *volatile address = &x;
	(void)address;
	if (x) /* here */
		return 1;
	return 0;
}
