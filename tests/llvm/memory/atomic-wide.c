/* expect: holds
 * what: atomic operations on integers of 128 bits
 */
#include <assert.h>

typedef unsigned __int128 wide;

int main(void)
{
	wide big = (wide)7 << 100, x = big;
	__int128 s = -5;
	int here = 1;

	assert(__sync_bool_compare_and_swap(&x, big, big + 1) && x == big + 1);
	assert(__sync_val_compare_and_swap(&x, big, 5) == big + 1 && x == big + 1);
	x = ~(wide)0 >> 64;
	assert(__atomic_fetch_add(&x, 2, __ATOMIC_SEQ_CST) == ~(wide)0 >> 64);
	assert(x == ((wide)1 << 64) + 1);
	assert(__atomic_sub_fetch(&x, 2, __ATOMIC_SEQ_CST) == ~(wide)0 >> 64);
	assert(__atomic_or_fetch(&x, big, __ATOMIC_RELAXED) == (big | ~(wide)0 >> 64));
	assert(__atomic_and_fetch(&x, big | 12, __ATOMIC_RELAXED) == (big | 12));
	assert(__atomic_xor_fetch(&x, big, __ATOMIC_RELAXED) == 12);
	assert(__atomic_fetch_nand(&x, 4, __ATOMIC_RELAXED) == 12 && x == ~(wide)4);
	assert(__atomic_exchange_n(&x, big, __ATOMIC_ACQ_REL) == ~(wide)4 && x == big);
	assert(__atomic_fetch_max(&s, 3, __ATOMIC_RELAXED) == -5 && s == 3);
	assert(__atomic_fetch_min(&s, -1, __ATOMIC_RELAXED) == 3 && s == -1);

	/* A pointer and a number in one. */
	x = (wide)9 << 64 | (unsigned long)&here;
	assert(__sync_bool_compare_and_swap(&x, (wide)9 << 64 | (unsigned long)&here, (wide)(unsigned long)&here << 64));
	assert(*(int *)(unsigned long)(x >> 64) == 1 && (unsigned long)x == 0);
	assert(!__sync_bool_compare_and_swap(&x, (wide)(unsigned long)&s << 64, 0));
	return 0;
}
