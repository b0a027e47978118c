/* expect: violated
 * fault: shift
 * line: 10
 * what: shifted by -1
 */
int main(void)
{
	unsigned x = 8;
	for (int n = 2; n >= -1; n--)
		x = x >> n; /* here */
	return x > 5;
}
