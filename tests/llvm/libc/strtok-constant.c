/* expect: violated
 * fault: constant
 * line: 11
 * what: strtok writes into its argument
 */
#include <string.h>

int main(void)
{
	char *volatile text = "a b";
	return strtok(text, " ") == 0; /* here */
}
