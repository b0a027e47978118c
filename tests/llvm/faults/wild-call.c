/* expect: violated
 * fault: wild
 * line: 10
 * what: a number is used as a function
 */
int main(void)
{
	volatile unsigned long number = 0x12345678;
	void (*f)(void) = (void (*)(void))number;
	f(); /* here */
	return 0;
}
