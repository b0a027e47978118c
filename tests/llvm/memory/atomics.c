/* expect: holds
 * what: atomics of every size, all operations
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint8_t a8 = 250;
static _Atomic int16_t a16;
static _Atomic uint32_t a32;
static _Atomic int64_t a64;
static atomic_bool flag;

int main(void)
{
	assert(atomic_fetch_add(&a8, 10) == 250 && a8 == 4);
	assert(atomic_fetch_sub(&a16, 1) == 0 && a16 == -1);
	assert(atomic_fetch_or(&a32, 0xf0) == 0 && atomic_fetch_xor(&a32, 0x11) == 0xf0 && a32 == 0xe1);
	assert(atomic_fetch_and(&a32, 0x0f) == 0xe1 && a32 == 1);
	a64 = 5;
	a64 *= 3;
	assert(a64 == 15 && a64++ == 15 && --a64 == 15);
	assert(!atomic_exchange(&flag, 1) && flag);
	int64_t expected = 1;
	assert(!atomic_compare_exchange_strong(&a64, &expected, 2) && expected == 15);
	assert(atomic_compare_exchange_strong(&a64, &expected, 2) && a64 == 2);
	assert(__sync_val_compare_and_swap(&(int){3}, 3, 4) == 3);
	int plain = 1;
	assert(__atomic_add_fetch(&plain, 2, __ATOMIC_SEQ_CST) == 3 && __atomic_fetch_nand(&plain, 1, __ATOMIC_RELAXED) == 3 && plain == ~1);
	atomic_thread_fence(memory_order_seq_cst);
	return 0;
}
