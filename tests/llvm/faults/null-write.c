/* expect: violated
 * fault: null
 * line: 15
 * what: writes through a null pointer
 */
static int *find(int key)
{
	static int zero;
	return key == 0 ? &zero : 0;
}

int main(void)
{
	*find(0) = 1;
	*find(1) = 2; /* here */
	return 0;
}
