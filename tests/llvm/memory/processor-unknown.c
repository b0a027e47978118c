/* expect: unknown
 * reason: unsupported
 * what: an instruction of a processor that is not known is no fault of the program
 */
int main(void)
{
	unsigned which;

	__builtin_ia32_rdtscp(&which);
	return 0;
}
