/* expect: violated
 * fault: undefined
 * line: 11
 * flags: --allow undefined
 * what: a function without a body is called
 */
int somewhere_else(int x);

int main(void)
{
	return somewhere_else(1); /* here */
}
