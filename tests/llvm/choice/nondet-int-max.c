/* expect: violated
 * fault: overflow
 * line: 11
 * what: INT_MAX is tried
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
	int x = __VERIFIER_nondet_int();
	int y = x + 1; /* here */
	return y == 5;
}
