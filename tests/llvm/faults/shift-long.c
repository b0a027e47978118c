/* expect: violated
 * fault: shift
 * line: 10
 * what: an int is shifted as if it were a long
 */
int main(void)
{
	long mask = 0;
	for (int bit = 0; bit < 40; bit++)
		mask |= (int)(1u << bit); /* here */
	return mask == 0;
}
