/* expect: holds
 * what: a recursion that ends
 */
static int sum(int n)
{
	return n == 0 ? 0 : 1 + sum(n - 1);
}

int main(void)
{
	return sum(60) - 60;
}
