/* expect: holds
 * cflags: -m32
 * what: on 32 bits a long double has 12 bytes, of which 10 are used
 */
typedef unsigned long long u64;
extern void abort(void);
extern int snprintf(char *, unsigned, const char *, ...);
extern int strcmp(const char *, const char *);
extern long double sqrtl(long double), strtold(const char *, char **);

#define CHECK(x) do { if (!(x)) abort(); } while (0)

struct packed { char c; long double x; char d; };
union view { long double number; struct { u64 significand; unsigned short rest; } parts; };

_Static_assert(sizeof(long double) == 12 && _Alignof(long double) == 4, "size");
_Static_assert(sizeof(struct packed) == 20, "structure");

static volatile long double three = 3, array[3] = {1, -0.1L, 0x1p-16445L};

static long double total(int count, ...)
{
	__builtin_va_list list;
	long double sum = 0;
	__builtin_va_start(list, count);
	for (int i = 0; i < count; i++) {
		sum += __builtin_va_arg(list, int);
		sum += __builtin_va_arg(list, long double);
	}
	__builtin_va_end(list);
	return sum;
}

static struct packed next(struct packed p)
{
	p.x += p.c - p.d;
	return p;
}

int main(void)
{
	union view view = {1 / three};
	CHECK(view.parts.significand == 0xaaaaaaaaaaaaaaab && view.parts.rest == 0x3ffd);
	CHECK(array[1] + array[0] == 0.9L && array[2] > 0 && array[2] / 2 == 0);
	CHECK(total(2, 1, three / 2, -2, 0x1p-60L) == 0.5L + 0x1p-60L);
	CHECK(next((struct packed){3, 0x1p62L, 2}).x == 0x1p62L + 1);
	CHECK((long long)(three * 3074457345618258602) == 9223372036854775806);
	CHECK((u64)(three * 6148914691236517205) == ~0ull);
	CHECK(sqrtl(three) == 0xd.db3d742c265539ep-3L && strtold("0.1", 0) == -array[1]);
	char text[40];
	snprintf(text, sizeof text, "%d %.20Lf %d", 1, 1 / three, 2);
	CHECK(!strcmp(text, "1 0.33333333333333333334 2"));
	return 0;
}
