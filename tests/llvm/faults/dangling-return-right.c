/* expect: holds
 * what: a static local variable outlives its function
 */
static int *counter(void)
{
	static int count = 1;
	return &count;
}

int main(void)
{
	int *p = counter();
	return *p - 1;
}
