/* expect: violated
 * fault: bounds
 * line: 10
 * what: writes one past the end of a local array
 */
int main(void)
{
	int a[4];
	for (int i = 0; i <= 4; i++)
		a[i] = i; /* here */
	return a[0];
}
