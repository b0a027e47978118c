/* expect: violated
 * fault: signature
 * line: 15
 * what: a function of a double is called with an int
 */
static double half(double x)
{
	return x / 2;
}

int main(void)
{
	void *volatile address = (void *)half;
	int (*f)(int) = (int (*)(int))address;
	return f(3) == 0; /* here */
}
