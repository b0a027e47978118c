/* expect: violated
 * fault: shift
 * line: 9
 * what: shifted by the width of the type
 */
int main(void)
{
	volatile int n = 32;
	unsigned x = 1u << n; /* here */
	return x > 5;
}
