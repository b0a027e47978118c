/* expect: violated
 * fault: uninitialised
 * line: 11
 * what: a pointer that was never set
 */
int main(void)
{
	int *p;
	int **volatile address = &p;
	(void)address;
	*p = 1; /* here */
	return 0;
}
