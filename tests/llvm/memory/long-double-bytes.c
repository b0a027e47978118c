/* expect: holds
 * what: the ten bytes of a long double, in unions and through memcpy
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

union view {
	long double number;
	struct { uint64_t significand; uint16_t sign_exponent; };
	unsigned char bytes[16];
	void *pointer;
};

static const long double constants[] = {1, -0.1L, 0x1p-16445L};
static long double global = 3.14159265358979323846L;

static union view of(long double number)
{
	union view view;
	memset(&view, 0, sizeof view);
	view.number = number;
	return view;
}

static int is(long double number, unsigned sign_exponent, uint64_t significand)
{
	union view view = of(number);
	return view.significand == significand && view.sign_exponent == sign_exponent;
}

int main(void)
{
	volatile long double zero = 0;
	assert(is(1, 0x3fff, 0x8000000000000000) && is(-2, 0xc000, 0x8000000000000000));
	assert(is(constants[1], 0xbffb, 0xcccccccccccccccd) && is(constants[2], 0, 1));
	assert(is(global, 0x4000, 0xc90fdaa22168c235) && is(-zero, 0x8000, 0));
	assert(is(1 / zero, 0x7fff, 0x8000000000000000) && is(zero / zero, 0xffff, 0xc000000000000000));
	assert(is(-(zero / zero), 0x7fff, 0xc000000000000000) && is(0x1p-16382L / 2, 0, 0x4000000000000000));
	assert(of(1).bytes[7] == 0x80 && of(1).bytes[8] == 0xff && of(1).bytes[9] == 0x3f && of(1).bytes[10] == 0);

	/* Made from bits. */
	union view made = {.bytes = {0}};
	made.significand = 0xa000000000000000;
	made.sign_exponent = 0x4002;
	assert(made.number == 10);
	made.bytes[9] |= 0x80;
	assert(made.number == -10);
	made.sign_exponent = 0;
	assert(made.number == 0x1.4p-16382L);

	/* Copied with all bits, byte by byte too. */
	long double copy, again;
	memcpy(&copy, &global, sizeof copy);
	for (unsigned i = 0; i < sizeof again; i++)
		((unsigned char *)&again)[i] = ((unsigned char *)&copy)[i];
	assert(again == global && !memcmp(&again, &global, 10));

	/* A pointer that passes through one. */
	union view from, to;
	from.number = 0;
	from.pointer = &copy;
	to.number = from.number;
	assert(*(long double *)to.pointer == global);
	return 0;
}
