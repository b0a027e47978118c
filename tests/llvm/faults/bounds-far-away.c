/* expect: violated
 * fault: bounds
 * line: 12
 * what: an index far outside that might hit another object on a real machine
 */
static int a[4], b[4];

int main(void)
{
	volatile int far = 1000000;
	b[0] = 1;
	return a[far]; /* here */
}
