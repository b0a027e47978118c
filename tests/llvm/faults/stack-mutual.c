/* expect: violated
 * fault: stack
 * what: two functions that call each other for ever
 */
static unsigned odd(unsigned n);

static unsigned even(unsigned n)
{
	return n == 0 ? 1 : odd(n - 1);
}

static unsigned odd(unsigned n)
{
	return n == 0 ? 0 : even(n + 1);
}

int main(void)
{
	return even(4);
}
