/* expect: violated
 * fault: bounds
 * line: 11
 * what: a word without a limit does not fit
 */
#include <stdio.h>

int main(void)
{
	char word[4];
	sscanf("longword", "%s", word); /* here */
	return 0;
}
