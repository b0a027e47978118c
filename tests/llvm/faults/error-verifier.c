/* expect: violated
 * fault: error
 * line: 10
 * what: __VERIFIER_error is called
 */
extern void __VERIFIER_error(void) __attribute__((noreturn));

int main(void)
{
	__VERIFIER_error(); /* here */
	return 0;
}
