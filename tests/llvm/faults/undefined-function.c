/* expect: violated
 * fault: undefined
 * line: 10
 * what: a function without a body is called
 */
int somewhere_else(int x);

int main(void)
{
	return somewhere_else(1); /* here */
}
