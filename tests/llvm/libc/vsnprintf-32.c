/* expect: holds
 * cflags: -m32
 * what: with 32 bits a va_list is a pointer, and those who get it do not move it on for the caller
 */
extern void abort(void);
extern int vsnprintf(char *, unsigned, const char *, __builtin_va_list), vprintf(const char *, __builtin_va_list);
extern int strcmp(const char *, const char *);

#define CHECK(x) do { if (!(x)) abort(); } while (0)

static char text[80];

static void print(const char *format, ...)
{
	__builtin_va_list list, copy;

	__builtin_va_start(list, format);
	__builtin_va_copy(copy, list);
	vsnprintf(text, sizeof text, format, list);
	vprintf(format, copy);
	vprintf(format, list);
	CHECK(__builtin_va_arg(list, int) == 7);
	vsnprintf(text + 60, 20, "%s", list);
	__builtin_va_end(list);
	__builtin_va_end(copy);
}

int main(void)
{
	print("%d %s %lld %g %Lg %c %p", 7, "x", 1LL << 40, 2.5, 3.25L, 'y', (void *)0);
	CHECK(!strcmp(text, "7 x 1099511627776 2.5 3.25 y (nil)"));
	CHECK(!strcmp(text + 60, "x"));
	return 0;
}
