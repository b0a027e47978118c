/* expect: violated
 * fault: bounds
 * line: 10
 * what: an index of -1
 */
int main(void)
{
	char text[8] = "abc";
	int i = 0;
	while (text[i] != 'z') /* here */
		i--;
	return 0;
}
