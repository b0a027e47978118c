/* expect: violated
 * fault: bounds
 * line: 13
 * what: a long of which only the last byte lies outside
 */
#include <stdlib.h>

int main(void)
{
	char *p = malloc(15);
	*(long *)(void *)p = 1;
	struct packed { char pad[8]; long value; } __attribute__((packed)) *q = (void *)p;
	q->value = 2; /* here */
	free(p);
	return 0;
}
