/* <ctype.h> in the C locale: the functions, and the tables that the macros of glibc look into. */
#include "runtime.h"

#include <ctype.h>
#include <stdint.h>

#undef isalnum
#undef isalpha
#undef isblank
#undef iscntrl
#undef isdigit
#undef isgraph
#undef islower
#undef isprint
#undef ispunct
#undef isspace
#undef isupper
#undef isxdigit
#undef tolower
#undef toupper
#undef isascii
#undef toascii

#define IN(c, low, high) ((c) >= (low) && (c) <= (high))
#define UPPER(c) IN(c, 'A', 'Z')
#define LOWER(c) IN(c, 'a', 'z')
#define DIGIT(c) IN(c, '0', '9')
#define ALNUM(c) (UPPER(c) || LOWER(c) || DIGIT(c))
#define HEXADECIMAL(c) (DIGIT(c) || IN(c, 'A', 'F') || IN(c, 'a', 'f'))
#define GRAPH(c) IN(c, 33, 126)
#define CLASS(c)                                                                                                               \
    ((UPPER(c) ? _ISupper : 0) | (LOWER(c) ? _ISlower : 0) | (UPPER(c) || LOWER(c) ? _ISalpha : 0) |                           \
     (DIGIT(c) ? _ISdigit : 0) | (HEXADECIMAL(c) ? _ISxdigit : 0) | ((c) == ' ' || IN(c, 9, 13) ? _ISspace : 0) |              \
     (IN(c, 32, 126) ? _ISprint : 0) | (GRAPH(c) ? _ISgraph : 0) | ((c) == ' ' || (c) == 9 ? _ISblank : 0) |                   \
     (IN(c, 0, 31) || (c) == 127 ? _IScntrl : 0) | (GRAPH(c) && !ALNUM(c) ? _ISpunct : 0) | (ALNUM(c) ? _ISalnum : 0))

/* EOF stays; other negative characters are those from 128 on. */
#define SAME(c) ((c) < -1 ? (c) + 256 : (c))
#define TO_LOWER(c) (UPPER(c) ? (c) + 32 : SAME(c))
#define TO_UPPER(c) (LOWER(c) ? (c)-32 : SAME(c))

#define FOUR(of, c) of(c), of((c) + 1), of((c) + 2), of((c) + 3)
#define SIXTEEN(of, c) FOUR(of, c), FOUR(of, (c) + 4), FOUR(of, (c) + 8), FOUR(of, (c) + 12)
#define SIXTYFOUR(of, c) SIXTEEN(of, c), SIXTEEN(of, (c) + 16), SIXTEEN(of, (c) + 32), SIXTEEN(of, (c) + 48)
#define TABLE(of)                                                                                                              \
    { SIXTYFOUR(of, -128), SIXTYFOUR(of, -64), SIXTYFOUR(of, 0), SIXTYFOUR(of, 64), SIXTYFOUR(of, 128), SIXTYFOUR(of, 192) }

static const unsigned short classes[384] = TABLE(CLASS);
static const int32_t lower[384] = TABLE(TO_LOWER);
static const int32_t upper[384] = TABLE(TO_UPPER);

static const unsigned short *const classes_at_0 = classes + 128;
static const int32_t *const lower_at_0 = lower + 128;
static const int32_t *const upper_at_0 = upper + 128;

const unsigned short **__ctype_b_loc(void) {
    return (const unsigned short **)&classes_at_0;
}

const int32_t **__ctype_tolower_loc(void) {
    return (const int32_t **)&lower_at_0;
}

const int32_t **__ctype_toupper_loc(void) {
    return (const int32_t **)&upper_at_0;
}

size_t __ctype_get_mb_cur_max(void) {
    return 1;
}

#define TEST(name, class)                                                                                                      \
    int name(int c) {                                                                                                          \
        return classes_at_0[c] & class;                                                                                        \
    }

TEST(isalnum, _ISalnum)
TEST(isalpha, _ISalpha)
TEST(isblank, _ISblank)
TEST(iscntrl, _IScntrl)
TEST(isdigit, _ISdigit)
TEST(isgraph, _ISgraph)
TEST(islower, _ISlower)
TEST(isprint, _ISprint)
TEST(ispunct, _ISpunct)
TEST(isspace, _ISspace)
TEST(isupper, _ISupper)
TEST(isxdigit, _ISxdigit)

int tolower(int c) {
    return c >= -128 && c < 256 ? lower_at_0[c] : c;
}

int toupper(int c) {
    return c >= -128 && c < 256 ? upper_at_0[c] : c;
}

int isascii(int c) {
    return !(c & ~127);
}

int toascii(int c) {
    return c & 127;
}
