/* expect: violated
 * fault: error
 * flags: -O 2
 * what: optimised: reach_error counts even when the program has a body for it
 */
void reach_error(void) { }

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
	if (__VERIFIER_nondet_bool())
		reach_error();
	return 0;
}
