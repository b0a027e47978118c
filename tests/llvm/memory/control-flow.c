/* expect: holds
 * what: switch, fall-through, goto, ranges, nested loops
 */
#include <assert.h>

enum colour { RED, GREEN = 5, BLUE, LAST = BLUE };

static int kind(int c)
{
	switch (c) {
	case '0' ... '9':
		return 1;
	case 'a':
	case 'b':
		c++;
		/* fall through */
	case 'x':
		return c;
	default:
		return -1;
	}
}

static int duff(int n)
{
	int count = 0;
	switch (n % 4) {
	case 0: do { count++;
	case 3:      count++;
	case 2:      count++;
	case 1:      count++;
		} while ((n -= 4) > 0);
	}
	return count;
}

int main(void)
{
	assert(kind('7') == 1 && kind('a') == 'b' && kind('x') == 'x' && kind(-5) == -1);
	assert(duff(7) == 7 && duff(8) == 8 && duff(1) == 1);
	assert(BLUE == 6 && LAST == 6 && RED == 0 && sizeof(enum colour) == 4);
	int i, j;
	for (i = 0; i < 5; i++)
		for (j = 0; j < 5; j++)
			if (i * j == 6)
				goto found;
found:
	assert(i == 2 && j == 3);
	int n = 0;
	do {
		if (n == 2)
			continue;
	} while (++n < 4);
	assert(n == 4);
	return 0;
}
