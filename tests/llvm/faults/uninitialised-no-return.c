/* expect: violated
 * fault: uninitialised
 * line: 16
 * what: the value of a function that returned none
 */
static int sign(int x)
{
	if (x > 0)
		return 1;
	if (x < 0)
		return -1;
}

int main(void)
{
	if (sign(0)) /* here */
		return 1;
	return 0;
}
