/* expect: violated
 * fault: undefined
 * line: 12
 * flags: --allow undefined
 * what: a function without a body is called through a pointer
 */
void somewhere_else(void);

int main(void)
{
	void (*volatile f)(void) = somewhere_else;
	f(); /* here */
	return 0;
}
