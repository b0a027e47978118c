/* expect: violated
 * fault: uninitialised
 * line: 12
 * what: scanf found nothing, so the number was never set
 */
#include <stdio.h>

int main(void)
{
	int n;
	scanf("%d", &n);
	if (n > 3) /* here */
		return 1;
	return 0;
}
