/* expect: violated
 * fault: constant
 * line: 10
 * what: a const table is changed through a cast
 */
static const int table[3] = {1, 2, 3};

static void clear(int *p)
{
	*p = 0; /* here */
}

int main(void)
{
	int *volatile p = (int *)&table[1];
	clear(p);
	return table[1];
}
