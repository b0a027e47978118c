/* expect: violated
 * fault: uninitialised
 * line: 14
 * what: one byte of four was never written
 */
#include <stdlib.h>

int main(void)
{
	unsigned char *bytes = malloc(4);
	bytes[0] = bytes[1] = bytes[3] = 0;
	int all = *(int *)(void *)bytes;
	free(bytes);
	if (all == 0) /* here */
		return 1;
	return 0;
}
