/* expect: unknown
 * reason: unsupported
 * what: an output of inline assembler that is no input is not known, even without instructions
 */
int main(void)
{
	int x;

	__asm__ volatile("" : "=r"(x));
	return x != x;
}
