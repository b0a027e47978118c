/* expect: holds
 * what: a packed structure: members at odd addresses
 */
#include <assert.h>
#include <string.h>

struct __attribute__((packed)) record { char tag; int number; short s; double d; };

int main(void)
{
	struct record r = {'a', 0x01020304, 5, 2.5};
	assert(sizeof r == 15);
	unsigned char bytes[sizeof r];
	memcpy(bytes, &r, sizeof r);
	assert(bytes[0] == 'a' && bytes[1] == 4 && bytes[4] == 1 && bytes[5] == 5);
	r.number++;
	assert(r.number == 0x01020305 && r.d == 2.5 && r.s == 5);
	return 0;
}
