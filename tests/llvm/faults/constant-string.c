/* expect: violated
 * fault: constant
 * line: 9
 * what: writes to a string constant
 */
int main(void)
{
	char *text = "hello";
	text[0] = 'j'; /* here */
	return 0;
}
