/* expect: holds
 * what: own functions with any number of arguments of several types
 */
#include <assert.h>
#include <stdarg.h>

struct pair { long a, b; };

static long total(const char *kinds, va_list arguments)
{
	long sum = 0;
	for (; *kinds; kinds++) {
		switch (*kinds) {
		case 'i': sum += va_arg(arguments, int); break;
		case 'l': sum += va_arg(arguments, long); break;
		case 'd': sum += (long)va_arg(arguments, double); break;
		case 'p': sum += *va_arg(arguments, int *); break;
		case 's': sum += va_arg(arguments, struct pair).b; break;
		}
	}
	return sum;
}

static long sum(const char *kinds, ...)
{
	va_list arguments, copy;
	va_start(arguments, kinds);
	va_copy(copy, arguments);
	long first = total(kinds, arguments);
	long again = total(kinds, copy);
	va_end(copy);
	va_end(arguments);
	assert(first == again);
	return first;
}

int main(void)
{
	int five = 5;
	struct pair p = {100, 200};
	assert(sum("") == 0);
	assert(sum("i", -3) == -3);
	assert(sum("idlp", 1, 2.5, 3L, &five) == 11);
	assert(sum("iiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9) == 45);
	assert(sum("ddddddddddi", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 1) == 56);
	assert(sum("isi", 1, p, 2) == 203);
	return 0;
}
