/* <wctype.h> in the C locale of glibc: what is not ASCII is of no class, and has no other case. */
#include "runtime.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <wctype.h>

#undef iswalnum
#undef iswalpha
#undef iswblank
#undef iswcntrl
#undef iswdigit
#undef iswgraph
#undef iswlower
#undef iswprint
#undef iswpunct
#undef iswspace
#undef iswupper
#undef iswxdigit
#undef towlower
#undef towupper

#define TEST(name, of_byte)                                                                                                    \
    int name(wint_t c) {                                                                                                       \
        return c < 128 && of_byte((int)c);                                                                                     \
    }

TEST(iswalnum, isalnum)
TEST(iswalpha, isalpha)
TEST(iswblank, isblank)
TEST(iswcntrl, iscntrl)
TEST(iswdigit, isdigit)
TEST(iswgraph, isgraph)
TEST(iswlower, islower)
TEST(iswprint, isprint)
TEST(iswpunct, ispunct)
TEST(iswspace, isspace)
TEST(iswupper, isupper)
TEST(iswxdigit, isxdigit)

wint_t towlower(wint_t c) {
    return c < 128 ? (wint_t)tolower((int)c) : c;
}

wint_t towupper(wint_t c) {
    return c < 128 ? (wint_t)toupper((int)c) : c;
}

/* ---- classes and mappings by name; 0 is none ---- */

static const struct {
    char name[8];
    int (*test)(wint_t);
} classes[] = {
    {"alnum", iswalnum}, {"alpha", iswalpha}, {"blank", iswblank}, {"cntrl", iswcntrl}, {"digit", iswdigit}, {"graph", iswgraph},
    {"lower", iswlower}, {"print", iswprint}, {"punct", iswpunct}, {"space", iswspace}, {"upper", iswupper}, {"xdigit", iswxdigit},
};

#define CLASSES (sizeof classes / sizeof *classes)

wctype_t wctype(const char *name) {
    for (wctype_t i = 0; i < CLASSES; i++)
        if (!strcmp(name, classes[i].name))
            return i + 1;
    return 0;
}

int iswctype(wint_t c, wctype_t class) {
    return class && class <= CLASSES && classes[class - 1].test(c);
}

static const int32_t mappings[2];

wctrans_t wctrans(const char *name) {
    return !strcmp(name, "tolower") ? &mappings[0] : !strcmp(name, "toupper") ? &mappings[1] : NULL;
}

wint_t towctrans(wint_t c, wctrans_t mapping) {
    return mapping == &mappings[0] ? towlower(c) : mapping == &mappings[1] ? towupper(c) : c;
}
