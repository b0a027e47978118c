/* expect: violated
 * fault: overflow
 * line: 10
 * what: a signed number is shifted out of its range
 */
volatile int x = 3;

int main(void)
{
	return (x << 31) != 0;
}
