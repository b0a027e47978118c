/* expect: holds
 * what: long doubles as arguments, results, variable arguments, parts of structures, and in threads
 */
#include <assert.h>
#include <complex.h>
#include <pthread.h>
#include <stdarg.h>

#define THIRD 0xa.aaaaaaaaaaaaaabp-5L

struct one { long double x; };
struct mixed { char c; long double x; short s; long double y[2]; };
typedef long double (*function)(int, long double, double, long double);

static long double pick(int which, long double a, double b, long double c)
{
	return which == 0 ? a : which == 1 ? b : c;
}

static struct one twice(struct one x)
{
	x.x *= 2;
	return x;
}

static struct mixed swapped(struct mixed m)
{
	long double x = m.y[0];
	m.y[0] = m.y[1];
	m.y[1] = x;
	m.c++;
	return m;
}

static long double total(int count, ...)
{
	va_list list, copy;
	long double sum = 0;
	va_start(list, count);
	va_copy(copy, list);
	for (int i = 0; i < count; i++) {
		sum += va_arg(list, int);
		sum += va_arg(list, long double);
	}
	assert(va_arg(list, double) == 0.5 && va_arg(list, struct mixed).y[1] == THIRD);
	assert(va_arg(list, int) == 7 && va_arg(list, long double) == -THIRD);
	assert(va_arg(copy, int) == 1 && va_arg(copy, long double) == THIRD);
	va_end(copy);
	va_end(list);
	return sum;
}

static long double power(long double x, int n)
{
	return n == 0 ? 1 : x * power(x, n - 1);
}

static long double shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *argument)
{
	long double mine = *(long double *)argument;
	pthread_mutex_lock(&lock);
	shared += mine;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	function f = pick;
	assert(f(0, THIRD, 0.5, -THIRD) == THIRD && f(1, THIRD, 0.5, 1) == 0.5 && f(2, 0, 0, -THIRD) == -THIRD);
	struct one one = twice(twice((struct one){THIRD}));
	assert(one.x == 4 * THIRD);
	struct mixed m = swapped((struct mixed){'a', 1, 2, {THIRD, 4}});
	assert(m.c == 'b' && m.x == 1 && m.s == 2 && m.y[0] == 4 && m.y[1] == THIRD);
	assert(total(2, 1, THIRD, 2, 0x1p-60L, 0.5, m, 7, -THIRD) == 0xd.55555555555555ap-2L);
	assert(power(1 + 0x1p-40L, 3) == 1 + 3 * 0x1p-40L && power(THIRD, 2) == 0xe.38e38e38e38e38fp-7L);
	long double complex z = __builtin_complex(THIRD, 2.0L), w = z + z;
	assert(creall(w) == 2 * THIRD && cimagl(~w) == -4);

	long double parts[] = {0x1p-63L, 1};
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, add, &parts[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(shared == 1 + 0x1p-63L);
	return 0;
}
