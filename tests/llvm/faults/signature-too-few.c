/* expect: violated
 * fault: signature
 * line: 15
 * what: a function is called with one argument less than it has
 */
static int sum(int a, int b)
{
	return a + b;
}

int main(void)
{
	void *volatile address = (void *)sum;
	int (*f)(int) = (int (*)(int))address;
	return f(1); /* here */
}
