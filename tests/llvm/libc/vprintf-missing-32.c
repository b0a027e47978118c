/* expect: violated
 * fault: signature
 * line: 14
 * cflags: -m32
 * what: with 32 bits too, vprintf asks for more arguments than there are
 */
extern int vprintf(const char *, __builtin_va_list);

static void print(const char *format, ...)
{
	__builtin_va_list list;

	__builtin_va_start(list, format);
	vprintf(format, list);
	__builtin_va_end(list);
}

int main(void)
{
	print("%d %d", 1);
	return 0;
}
