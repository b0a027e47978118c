/* expect: holds
 * what: widened before it is multiplied
 */
int main(void)
{
	volatile int seconds = 100000;
	long nanoseconds = seconds * 1000000L;
	return nanoseconds != 100000000000L;
}
