/* expect: violated
 * fault: uninitialised
 * line: 13
 * what: a switch on a field that was never set
 */
struct token { int kind, value; };

int main(void)
{
	struct token t;
	int *volatile address = &t.value;
	*address = 5;
	switch (t.kind) { /* here */
	case 0:
		return 1;
	default:
		return 0;
	}
}
