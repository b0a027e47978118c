/* expect: violated
 * fault: uninitialised
 * line: 11
 * what: a bound that was never set
 */
int main(void)
{
	int n, sum = 0;
	int *volatile address = &n;
	(void)address;
	for (int i = 0; i < n; i++) /* here */
		sum += i;
	return sum > 0;
}
