/* expect: holds
 * what: function pointers of the right type, also after a way through void *
 */
static int one(int x)
{
	return x;
}

static double half(double x)
{
	return x / 2;
}

int main(void)
{
	void *volatile address = (void *)one;
	int (*f)(int) = (int (*)(int))address;
	void *volatile other = (void *)half;
	double (*g)(double) = (double (*)(double))other;
	return f(1) - (int)g(2.0);
}
