/* expect: holds
 * what: reach_error cannot be reached after this assumption
 */
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
	unsigned char x = __VERIFIER_nondet_uchar();
	__VERIFIER_assume(x > 200);
	if (x < 100)
		reach_error();
	return 0;
}
