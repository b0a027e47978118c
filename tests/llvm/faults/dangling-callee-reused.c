/* expect: violated
 * fault: dangling
 * line: 18
 * what: the dead variable's place is used again by the next call
 */
static int *saved;

static void keep(void)
{
	int local = 1;
	saved = &local;
}

static void other(void)
{
	int local = 2;
	(void)local;
	*saved = 3; /* here */
}

int main(void)
{
	keep();
	other();
	return 0;
}
