/* expect: violated
 * fault: signature
 * line: 15
 * what: a function is called with one argument more than it has
 */
static int one(int x)
{
	return x;
}

int main(void)
{
	void *volatile address = (void *)one;
	int (*two)(int, int) = (int (*)(int, int))address;
	return two(0, 1); /* here */
}
