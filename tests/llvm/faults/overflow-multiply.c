/* expect: violated
 * fault: overflow
 * line: 9
 * what: a product that does not fit, before it is widened
 */
int main(void)
{
	volatile int seconds = 100000;
	long nanoseconds = seconds * 1000000; /* here */
	return nanoseconds < 0;
}
