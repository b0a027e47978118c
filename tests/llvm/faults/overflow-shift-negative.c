/* expect: violated
 * fault: overflow
 * line: 10
 * what: a negative number is shifted to the left
 */
volatile int x = -1;

int main(void)
{
	return (x << 1) != -2;
}
