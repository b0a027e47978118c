/* expect: violated
 * fault: dangling
 * line: 16
 * what: the address of a local variable outlives its function
 */
static int *counter(void)
{
	int count = 1;
	int *volatile address = &count;
	return address;
}

int main(void)
{
	int *p = counter();
	return *p; /* here */
}
