/* expect: violated
 * fault: division
 * line: 11
 * what: 0 is tried
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
	int x = __VERIFIER_nondet_int();
	return 7u % (unsigned)x > 10; /* here */
}
