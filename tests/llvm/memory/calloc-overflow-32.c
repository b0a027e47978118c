/* expect: holds
 * cflags: -m32
 * what: with 32 bits, sizes that do not fit give null
 */
extern void abort(void);
extern void *malloc(unsigned), *calloc(unsigned, unsigned), *realloc(void *, unsigned);
extern void *reallocarray(void *, unsigned, unsigned);
extern void free(void *);

#define CHECK(x) do { if (!(x)) abort(); } while (0)

int main(void)
{
	volatile unsigned most = -1;
	int *p = calloc(3, 4);

	CHECK(!calloc(most, 16) && !calloc(65536, 65536) && !malloc(most));
	CHECK(!reallocarray(p, most, 4) && !realloc(p, most));
	CHECK(p[0] == 0 && p[2] == 0);
	free(p);
	return 0;
}
