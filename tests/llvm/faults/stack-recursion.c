/* expect: violated
 * fault: stack
 * what: a recursion that never ends
 */
static int sum(int n)
{
	return n == 0 ? 0 : 1 + sum(n);
}

int main(void)
{
	return sum(1) == 1;
}
