/* expect: holds
 * what: comparing and subtracting pointers into the same array
 */
#include <assert.h>
#include <stddef.h>

int main(void)
{
	int a[5], *p = &a[1], *q = &a[4];
	assert(p < q && q > p && p <= p && p != q && !(p == q));
	assert(q - p == 3 && p - q == -3);
	assert((char *)q - (char *)p == 12);
	assert(a + 5 - a == 5 && &a[5] > q);
	ptrdiff_t d = &a[0] - p;
	assert(d == -1);
	p += 2;
	p--;
	assert(p == &a[2] && *&p == a + 2);
	int x, y, *px = &x, *py = &y;
	assert(px != py && px && !!py);
	return 0;
}
