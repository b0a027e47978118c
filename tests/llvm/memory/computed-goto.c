/* expect: holds
 * what: a small interpreter that jumps to the address of a label
 */
#include <assert.h>

static int run(const unsigned char *code)
{
	static const void *const labels[] = {&&stop, &&one, &&add, &&twice};
	int stack[4], top = 0;
	goto *labels[*code];
one:
	stack[top++] = 1;
	goto *labels[*++code];
add:
	top--;
	stack[top - 1] += stack[top];
	goto *labels[*++code];
twice:
	stack[top] = stack[top - 1];
	top++;
	goto *labels[*++code];
stop:
	return stack[top - 1];
}

int main(void)
{
	static const unsigned char code[] = {1, 3, 2, 3, 2, 1, 2, 0};
	assert(run(code) == 5);
	return 0;
}
