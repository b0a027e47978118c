/* expect: holds
 * what: an array that is filled from a string constant may be changed
 */
int main(void)
{
	char text[] = "hello";
	static char other[] = "world";
	text[0] = 'j';
	other[0] = 'W';
	return text[1] - 'e' + other[1] - 'o';
}
