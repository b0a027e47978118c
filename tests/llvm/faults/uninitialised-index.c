/* expect: violated
 * fault: uninitialised
 * line: 13
 * what: an index that was never set
 */
static int table[4];

int main(void)
{
	int i;
	int *volatile address = &i;
	(void)address;
	return table[i]; /* here */
}
