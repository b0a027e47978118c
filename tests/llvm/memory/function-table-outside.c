/* expect: violated
 * fault: bounds
 * line: 14
 * what: an index outside the table of functions
 */
static int zero(void) { return 0; }
static int one(void) { return 1; }

static int (*const table[])(void) = {zero, one};

int main(void)
{
	volatile int i = 2;
	return table[i](); /* here */
}
