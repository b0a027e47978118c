/* expect: violated
 * fault: uninitialised
 * line: 13
 * what: only a byte of the union was set
 */
union pun { unsigned word; unsigned char bytes[4]; };

int main(void)
{
	union pun p;
	unsigned char *volatile first = &p.bytes[0];
	*first = 1;
	if (p.word == 1) /* here */
		return 1;
	return 0;
}
