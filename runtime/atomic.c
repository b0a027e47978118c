/* The calls that the compiler makes for atomic operations it does not do inline: big objects, and on small machines wide ones.
   Everything is sequentially consistent, so the orders are not looked at. */
#include "runtime.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

/* The names are the compiler's own. */
void rt_load(size_t size, void *object, void *to, int order) SYMBOL(__atomic_load);
void rt_store(size_t size, void *object, void *from, int order) SYMBOL(__atomic_store);
void rt_exchange(size_t size, void *object, void *from, void *to, int order) SYMBOL(__atomic_exchange);
_Bool rt_compare_exchange(size_t size, void *object, void *expected, void *desired, int good, int bad)
    SYMBOL(__atomic_compare_exchange);
_Bool rt_is_lock_free(size_t size, const volatile void *object) SYMBOL(__atomic_is_lock_free);

void rt_load(size_t size, void *object, void *to, int order) {
    (void)order;
    __auspex_atomic_begin();
    memcpy(to, object, size);
    __auspex_atomic_end();
}

void rt_store(size_t size, void *object, void *from, int order) {
    (void)order;
    __auspex_atomic_begin();
    memcpy(object, from, size);
    __auspex_atomic_end();
}

void rt_exchange(size_t size, void *object, void *from, void *to, int order) {
    (void)order;
    __auspex_atomic_begin();
    memcpy(to, object, size);
    memcpy(object, from, size);
    __auspex_atomic_end();
}

_Bool rt_compare_exchange(size_t size, void *object, void *expected, void *desired, int good, int bad) {
    (void)good, (void)bad;
    __auspex_atomic_begin();
    _Bool same = !bcmp(object, expected, size);
    if (same)
        memcpy(object, desired, size);
    else
        memcpy(expected, object, size);
    __auspex_atomic_end();
    return same;
}

_Bool rt_is_lock_free(size_t size, const volatile void *object) {
    (void)object;
    return size == 1 || size == 2 || size == 4 || size == 8;
}

#define FETCH(bytes, type, name, expression)                                                                                   \
    type rt_fetch_##name##_##bytes(type *object, type value, int order) SYMBOL(__atomic_fetch_##name##_##bytes);               \
    type rt_fetch_##name##_##bytes(type *object, type value, int order) {                                                      \
        (void)order;                                                                                                           \
        __auspex_atomic_begin();                                                                                               \
        type old = *object;                                                                                                    \
        *object = (type)(expression);                                                                                          \
        __auspex_atomic_end();                                                                                                 \
        return old;                                                                                                            \
    }

#define SIZED(bytes, type)                                                                                                     \
    type rt_load_##bytes(type *object, int order) SYMBOL(__atomic_load_##bytes);                                               \
    type rt_load_##bytes(type *object, int order) {                                                                            \
        (void)order;                                                                                                           \
        __auspex_atomic_begin();                                                                                               \
        type value = *object;                                                                                                  \
        __auspex_atomic_end();                                                                                                 \
        return value;                                                                                                          \
    }                                                                                                                          \
    void rt_store_##bytes(type *object, type value, int order) SYMBOL(__atomic_store_##bytes);                                 \
    void rt_store_##bytes(type *object, type value, int order) {                                                               \
        (void)order;                                                                                                           \
        __auspex_atomic_begin();                                                                                               \
        *object = value;                                                                                                       \
        __auspex_atomic_end();                                                                                                 \
    }                                                                                                                          \
    type rt_exchange_##bytes(type *object, type value, int order) SYMBOL(__atomic_exchange_##bytes);                           \
    type rt_exchange_##bytes(type *object, type value, int order) {                                                            \
        (void)order;                                                                                                           \
        __auspex_atomic_begin();                                                                                               \
        type old = *object;                                                                                                    \
        *object = value;                                                                                                       \
        __auspex_atomic_end();                                                                                                 \
        return old;                                                                                                            \
    }                                                                                                                          \
    _Bool rt_compare_exchange_##bytes(type *object, type *expected, type desired, int good, int bad)                           \
        SYMBOL(__atomic_compare_exchange_##bytes);                                                                             \
    _Bool rt_compare_exchange_##bytes(type *object, type *expected, type desired, int good, int bad) {                         \
        (void)good, (void)bad;                                                                                                 \
        __auspex_atomic_begin();                                                                                               \
        type old = *object;                                                                                                    \
        _Bool same = old == *expected;                                                                                         \
        if (same)                                                                                                              \
            *object = desired;                                                                                                 \
        else                                                                                                                   \
            *expected = old;                                                                                                   \
        __auspex_atomic_end();                                                                                                 \
        return same;                                                                                                           \
    }                                                                                                                          \
    FETCH(bytes, type, add, old + value)                                                                                       \
    FETCH(bytes, type, sub, old - value)                                                                                       \
    FETCH(bytes, type, and, old &value)                                                                                        \
    FETCH(bytes, type, or, old | value)                                                                                        \
    FETCH(bytes, type, xor, old ^ value)                                                                                       \
    FETCH(bytes, type, nand, ~(old & value))

SIZED(1, uint8_t)
SIZED(2, uint16_t)
SIZED(4, uint32_t)
SIZED(8, uint64_t)
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 uint128;
SIZED(16, uint128)
#endif
