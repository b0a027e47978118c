/* expect: violated
 * fault: bounds
 * line: 11
 * what: one past the end of an array of run-time length
 */
int main(void)
{
	volatile int n = 3;
	char a[n];
	for (int i = 0; i <= n; i++)
		a[i] = 0; /* here */
	return 0;
}
