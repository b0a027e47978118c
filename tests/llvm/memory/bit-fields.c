/* expect: holds
 * what: bit-fields: width, sign, neighbours
 */
#include <assert.h>

struct bits {
	unsigned a : 3;
	int b : 4;
	unsigned : 0;
	unsigned long c : 40;
	_Bool d : 1;
};

int main(void)
{
	struct bits x = {0};
	x.a = 7;
	x.b = -8;
	x.c = 0xffffffffffUL;
	x.d = 5;
	assert(x.a == 7 && x.b == -8 && x.c == 0xffffffffffUL && x.d == 1);
	x.a++;
	assert(x.a == 0 && x.b == -8);
	x.b = x.b + 15;
	assert(x.b == 7 && x.a == 0);
	x.c = x.c + 1;
	assert(x.c == 0 && x.d == 1);
	return 0;
}
