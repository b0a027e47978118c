/* expect: violated
 * fault: bounds
 * line: 14
 * what: the mark in the low bits is not taken away: the last byte read lies outside
 */
#include <stdint.h>

static int x = 5;

int main(void)
{
	volatile uintptr_t tagged = (uintptr_t)&x | 1;
	struct word { int value; } __attribute__((packed)) *p = (void *)tagged;
	return p->value == 5; /* here */
}
