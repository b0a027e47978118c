/* The runtime's libc beside the real one: same calls, same answers. The runtime's functions are called rt_... (see test/run). */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

#include "native.h"

int *rt___errno_location(void);
double rt_strtod(const char *, char **);
float rt_strtof(const char *, char **);
long double rt_strtold(const char *, char **);
long rt_strtol(const char *, char **, int);
unsigned long rt_strtoul(const char *, char **, int);
long long rt_strtoll(const char *, char **, int);
unsigned long long rt_strtoull(const char *, char **, int);
int rt_sscanf(const char *, const char *, ...);
void rt_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *rt_bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
struct tm *rt_gmtime_r(const time_t *, struct tm *);
time_t rt_timegm(struct tm *);
char *rt_asctime_r(const struct tm *, char *);
const unsigned short **rt___ctype_b_loc(void);
const int32_t **rt___ctype_tolower_loc(void);
const int32_t **rt___ctype_toupper_loc(void);
char *rt_strtok_r(char *, const char *, char **);
char *rt_strsep(char **, const char *);
void *rt_memmem(const void *, size_t, const void *, size_t);
size_t rt_strftime(char *, size_t, const char *, const struct tm *);
int rt_strverscmp(const char *, const char *);
char *rt___xpg_basename(char *), *rt_dirname(char *);
int rt_getsubopt(char **, char *const *, char **);
extern char *rt_optarg;
extern int rt_optind, rt_opterr, rt_optopt;
int rt_getopt(int, char *const *, const char *);
int rt_getopt_long(int, char *const *, const char *, const struct option *, int *);
int rt_getopt_long_only(int, char *const *, const char *, const struct option *, int *);
long rt_wcstol(const wchar_t *, wchar_t **, int);
double rt_wcstod(const wchar_t *, wchar_t **);
size_t rt_mbrtowc(wchar_t *, const char *, size_t, mbstate_t *), rt_wcrtomb(char *, wchar_t, mbstate_t *);
size_t rt_mbstowcs(wchar_t *, const char *, size_t), rt_wcstombs(char *, const wchar_t *, size_t);
wint_t rt_btowc(int), rt_towupper(wint_t), rt_towlower(wint_t);
int rt_iswctype(wint_t, wctype_t);
wctype_t rt_wctype(const char *);
wchar_t *rt_wcsstr(const wchar_t *, const wchar_t *), *rt_wcsrchr(const wchar_t *, wchar_t), *rt_wcstok(wchar_t *, const wchar_t *, wchar_t **);
int rt_wcscmp(const wchar_t *, const wchar_t *), rt_wcwidth(wchar_t);
int rt_swprintf(wchar_t *, size_t, const wchar_t *, ...);

static int failed;

static void differ(const char *what, const char *text) {
    if (failed++ < 20)
        printf("differs: %s on \"%s\"\n", what, text);
}

static int same_tail(const char *text, const char *a, const char *b) {
    return a - text == b - text;
}

static void real(const char *text) {
    char *a, *b;
    errno = *rt___errno_location() = 0;
    double x = strtod(text, &a), y = rt_strtod(text, &b);
    if (!same_tail(text, a, b) || (memcmp(&x, &y, sizeof x) && !(isnan(x) && isnan(y))))
        differ("strtod", text);
    if ((isinf(x) || x == 0) && errno != *rt___errno_location())
        differ("errno of strtod", text);
    float f = strtof(text, &a), g = rt_strtof(text, &b);
    if (!same_tail(text, a, b) || (memcmp(&f, &g, sizeof f) && !(isnan(f) && isnan(g))))
        differ("strtof", text);
    long double l = strtold(text, &a), m = rt_strtold(text, &b);
    if (!same_tail(text, a, b) || (l != m && !(isnan(l) && isnan(m))))
        differ("strtold", text);
}

static void integer(const char *text, int base) {
    char *a, *b;
#define SAME(name)                                                                                                             \
    errno = *rt___errno_location() = 0;                                                                                        \
    if (name(text, &a, base) != rt_##name(text, &b, base) || !same_tail(text, a, b) || errno != *rt___errno_location())        \
        differ(#name, text);
    SAME(strtol)
    SAME(strtoul)
    SAME(strtoll)
    SAME(strtoull)
}

static void reals(void) {
    static const char *const some[] = {
        "0", "-0", "1", " +1.5x", ".5", "5.", ".", "", "-", "1e5", "1e", "1e+", "1e+5", "1E-5", "inf", "-INFINITY", "infin", "nan",
        "NaN(12)", "nan(", "0x1p3", "0x.8", "0x", "0x1.fffffffffffff8p0", "0x1.8p-1074", "0x1p-1075", "1.7976931348623157e308",
        "1.7976931348623159e308", "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e400",
        "1e-400", "2.2250738585072011e-308", "9007199254740993", "9007199254740992.99999999999999999999999999999999",
        "123456789012345678901234567890", "18446744073709551615", "18446744073709551615.5", "0xffffffffffffffff8", "0x1p-16446",
        "3e-4951", "1.18973149535723176502e4932", "1.18973149535723176509e4932", "0.1", "0.000001", "3.4028236e38", "1e-46", "1e99999999", "0e99999999", "1.e1",
        "00000000000000000000000000000000000000001", "0.00000000000000000000000000000000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        real(some[i]);
    char text[100];
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = (uint64_t)random() << 42 ^ (uint64_t)random() << 21 ^ (uint64_t)random();
        double x;
        memcpy(&x, &bits, sizeof x);
        if (i % 3)
            snprintf(text, sizeof text, "%.*g", (int)(random() % 20), x);
        else
            snprintf(text, sizeof text, "%ld.%lde%ld", random() % 1000000, random(), random() % 80 - 40);
        real(text);
        if (i % 50 == 0) { /* all of long double's range */
            snprintf(text, sizeof text, "%ld.%09ld%09ld%09lde%ld", random() % 10, random() % 1000000000, random() % 1000000000,
                     random() % 1000000000, random() % 10000 - 5000);
            real(text);
        }
    }
}

static void integers(void) {
    static const char *const some[] = {"0", "-0", "12", "-12x", "+7", " \t\n42", "0x1f", "0x", "0xg", "-0x10", "010", "08", "zz",
                                       "9223372036854775807", "9223372036854775808", "-9223372036854775808",
                                       "-9223372036854775809", "18446744073709551615", "18446744073709551616",
                                       "-18446744073709551615", "4294967296", "2147483648", "-2147483649", "-1", "", "-", "+ 1",
                                       "99999999999999999999999999"};
    static const int bases[] = {0, 2, 8, 10, 16, 36};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        for (size_t j = 0; j < sizeof bases / sizeof *bases; j++)
            integer(some[i], bases[j]);
}

#define SCAN(text, format, size)                                                                                               \
    do {                                                                                                                       \
        char a[8][size] = {{0}}, b[8][size] = {{0}};                                                                           \
        int x = sscanf(text, format, a[0], a[1], a[2], a[3], a[4], a[5]);                                                      \
        int y = rt_sscanf(text, format, b[0], b[1], b[2], b[3], b[4], b[5]);                                                   \
        if (x != y || memcmp(a, b, sizeof a))                                                                                  \
            differ(format, text);                                                                                              \
    } while (0)

#pragma clang diagnostic ignored "-Wformat"
#pragma clang diagnostic ignored "-Wformat-extra-args"
static void scans(void) {
    SCAN("12 -5 0x1f", "%d %i %x", 32);
    SCAN("12 -5 0x1f 077", "%d%i%i%i", 32);
    SCAN("12abc", "%d%s", 32);
    SCAN("abc", "%d", 32);
    SCAN("", "%d", 32);
    SCAN("   ", "%d", 32);
    SCAN("   ", "%c%c", 32);
    SCAN("1,2;3", "%d,%d,%d", 32);
    SCAN("12345678", "%3d%2d%d", 32);
    SCAN("hello world", "%5c%s", 32);
    SCAN("hello world", "%*s%s%n", 32);
    SCAN("hello world", "%[a-h]%[^o]%n%s", 32);
    SCAN("]x-y", "%[]x]%[-]%s", 32);
    SCAN("3.25 -1e3 .5 nan", "%f %lf %Lf %f", 32);
    SCAN("1e", "%f", 32);
    SCAN("1e+x", "%f%n%s", 32);
    SCAN("1ex", "%lf%s", 32);
    SCAN("inf infinity infix", "%f%f%f%s", 32);
    SCAN("0x1.8p1 7", "%lf%d", 32);
    SCAN("300 70000 5000000000 5000000000", "%hhd%hd%lld%jd", 32);
    SCAN("50%", "%d%%%n", 32);
    SCAN("50 %", "%d%%%n", 32);
    SCAN("50x", "%d%%%n", 32);
    SCAN("key=value", "%[^=]=%s", 32);
    SCAN("0x", "%x%s", 32);
    SCAN("0xz", "%i%s", 32);
    SCAN("+", "%d", 32);
    SCAN("-7 4294967295 -1", "%u %u %lu", 32);
    SCAN("0xdeadbeef", "%p", 32);
    SCAN("12:34:56", "%2d:%2d:%2d", 32);
    SCAN("a b c", "%c %c%c", 32);
    SCAN("99999999999999999999 1", "%ld%d", 32);
    SCAN("x", "x%d", 32);
    SCAN("", "x%d", 32);
    SCAN("y", "x%d", 32);
}

static int compare_ints(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void sorts(void) {
    int a[200], b[200];
    for (int n = 0; n < 200; n++) {
        for (int i = 0; i < n; i++)
            a[i] = b[i] = random() % 100;
        qsort(a, n, sizeof *a, compare_ints);
        rt_qsort(b, n, sizeof *b, compare_ints);
        if (memcmp(a, b, n * sizeof *a))
            differ("qsort", "");
        for (int key = -1; key < 101; key++) {
            int *x = bsearch(&key, a, n, sizeof *a, compare_ints), *y = rt_bsearch(&key, b, n, sizeof *b, compare_ints);
            if (!x != !y || (y && *y != key))
                differ("bsearch", "");
        }
    }
}

static void times(void) {
    for (int i = 0; i < 20000; i++) {
        time_t t = (time_t)random() * (sizeof(time_t) > 4 ? 10 : 1) * (i % 2 ? 1 : -1);
        struct tm a, b;
        char x[40], y[40];
        gmtime_r(&t, &a);
        rt_gmtime_r(&t, &b);
        asctime_r(&a, x);
        rt_asctime_r(&b, y);
        if (a.tm_year != b.tm_year || a.tm_mon != b.tm_mon || a.tm_mday != b.tm_mday || a.tm_wday != b.tm_wday ||
            a.tm_yday != b.tm_yday || a.tm_hour != b.tm_hour || a.tm_min != b.tm_min || a.tm_sec != b.tm_sec ||
            rt_timegm(&b) != t || (a.tm_year >= 0 && a.tm_year < 8000 && strcmp(x, y)))
            differ("gmtime", x);
    }
}

static void types(void) {
    for (int c = -128; c < 256; c++) {
        if ((*__ctype_b_loc())[c] != (*rt___ctype_b_loc())[c])
            differ("__ctype_b_loc", "");
        if ((*__ctype_tolower_loc())[c] != (*rt___ctype_tolower_loc())[c])
            differ("__ctype_tolower_loc", "");
        if ((*__ctype_toupper_loc())[c] != (*rt___ctype_toupper_loc())[c])
            differ("__ctype_toupper_loc", "");
    }
}

static void strings(void) {
    static const char *const some[] = {"", "a", ",", ",,", "a,b", ",a,,b;", "a;b;c", "abc"};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char a[20], b[20], *x, *y, *p, *q;
        strcpy(a, some[i]), strcpy(b, some[i]);
        for (p = a, q = b;; p = q = NULL) {
            char *s = strtok_r(p, ",;", &x), *t = rt_strtok_r(q, ",;", &y);
            if (!s != !t || (s && strcmp(s, t)))
                differ("strtok_r", some[i]);
            if (!s || !t)
                break;
        }
        strcpy(a, some[i]), strcpy(b, some[i]);
        for (p = a, q = b;;) {
            char *s = strsep(&p, ",;"), *t = rt_strsep(&q, ",;");
            if (!s != !t || (s && strcmp(s, t)))
                differ("strsep", some[i]);
            if (!s || !t)
                break;
        }
        if (memmem("xa,b", 4, some[i], strlen(some[i])) == NULL) {
            if (rt_memmem("xa,b", 4, some[i], strlen(some[i])))
                differ("memmem", some[i]);
        } else if (!rt_memmem("xa,b", 4, some[i], strlen(some[i])))
            differ("memmem", some[i]);
    }
}

/* A text of some of these characters. */
static const char *any_text(char *text, size_t size, const char *of) {
    size_t length = random() % size;
    for (size_t i = 0; i < length; i++)
        text[i] = of[random() % strlen(of)];
    text[length] = 0;
    return text;
}

static int sign(int n) {
    return (n > 0) - (n < 0);
}

static void formatted_times(void) {
    static const char letters[] = "aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%";
    for (int i = 0; i < 40000; i++) {
        time_t t = (time_t)random() * (i % 3 && sizeof t > 4 ? 10 : 1) * (i % 2 ? 1 : -1);
        struct tm tm;
        char format[20], flags[3], x[100], y[100];
        gmtime_r(&t, &tm);
        snprintf(format, sizeof format, "<%%%s%.*d%c>", any_text(flags, 2, "_-0^#"), i % 4 ? 0 : 1, (int)(i % 4 ? 0 : 1 + random() % 12),
                 letters[random() % (sizeof letters - 1)]);
        size_t size = i % 5 ? sizeof x : (size_t)random() % 20;
        size_t m = strftime(x, size, format, &tm), n = rt_strftime(y, size, format, &tm);
        if (m != n || (m && strcmp(x, y))) {
            differ("strftime", format);
            if (failed < 20)
                printf("  %s %s\n", m ? x : "", n ? y : "");
        }
    }
    struct tm none = {.tm_mon = 20, .tm_wday = -1};
    char x[100] = "", y[100] = "";
    strftime(x, sizeof x, "%a %b %Z|%Q|%Ey %Od %5q %", &none);
    rt_strftime(y, sizeof y, "%a %b %Z|%Q|%Ey %Od %5q %", &none);
    if (strcmp(x, y))
        differ(x, y);
}

static void names(void) {
    for (int i = 0; i < 20000; i++) {
        char a[12], b[12], c[12];
        any_text(a, sizeof a, i % 2 ? "/ab" : "//a.");
        strcpy(b, a), strcpy(c, a);
        if (strcmp(basename(b), rt___xpg_basename(c)))
            differ("basename", a);
        strcpy(b, a), strcpy(c, a);
        if (strcmp(dirname(b), rt_dirname(c)))
            differ("dirname", a);
        any_text(a, sizeof a, "001a"), any_text(b, sizeof b, "001a");
        if (i % 2)
            strncpy(b, a, random() % 5);
        if (sign(strverscmp(a, b)) != sign(rt_strverscmp(a, b)))
            printf("  %s %s\n", a, b), differ("strverscmp", a);
        char *const known[] = {"a", "ab", NULL};
        char *p = strcpy(b, any_text(a, sizeof a, "ab,=")), *q = strcpy(c, a), *v, *w;
        for (int r = 0; r < 12 && *p; r++) {
            int m = getsubopt(&p, known, &v), n = rt_getsubopt(&q, known, &w);
            if (m != n || p - b != q - c || !v != !w || (v && strcmp(v, w)))
                differ("getsubopt", a);
        }
    }
}

static void options(void) {
    static int flag;
    static const struct option known[] = {{"all", no_argument, NULL, 'A'},        {"alter", required_argument, NULL, 'B'},
                                          {"be", optional_argument, NULL, 'C'},   {"flag", no_argument, &flag, 7},
                                          {"flagged", no_argument, &flag, 7},     {NULL, 0, NULL, 0}};
    static const char *const letters[] = {"ab:c::", "+ab:", "-ab:c::", ":ab:", "", "+:b:a", "-:b:"};
    static const char *const words[] = {"-a", "-b", "-ab", "-bx", "-c", "-cx", "x", "y", "-", "--", "--all", "--al", "--alter", "--alter=1",
                                        "--be", "--be=2", "--b", "--fl", "--all=3", "-z", "--none", "-acx", "-all", "-alt", "-be", ""};
    opterr = rt_opterr = 0;
    for (int i = 0; i < 100000; i++) {
        char *a[8] = {"program"}, *b[8] = {"program"}, text[200] = "";
        int count = 1 + (int)random() % 6, kind = (int)random() % 3;
        const char *l = letters[random() % (sizeof letters / sizeof *letters)];
        for (int j = 1; j < count; j++) {
            a[j] = b[j] = (char *)words[random() % (sizeof words / sizeof *words)];
            strcat(strcat(text, " "), a[j]);
        }
        optind = rt_optind = 0;
        for (int done = 0; !done;) {
            int x, y, m = -5, n = -5;
            if (kind == 0)
                x = getopt(count, a, l), y = rt_getopt(count, b, l);
            else if (kind == 1)
                x = getopt_long(count, a, l, known, &m), y = rt_getopt_long(count, b, l, known, &n);
            else
                x = getopt_long_only(count, a, l, known, &m), y = rt_getopt_long_only(count, b, l, known, &n);
            done = x == -1 || y == -1;
            if (x != y || m != n || optind != rt_optind || optarg != rt_optarg || (x == '?' && optopt != rt_optopt)) {
                printf("  %d %s: %d %d, %d %d, optind %d %d, optopt %d %d\n", kind, l, x, y, m, n, optind, rt_optind, optopt, rt_optopt);
                differ("getopt", text);
                done = 1;
            }
        }
        if (memcmp(a, b, sizeof a))
            differ("order of getopt", text);
    }
}

static void wide(void) {
    static const char *const classes[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                          "lower", "print", "punct", "space", "upper", "xdigit", "none"};
    for (int c = 0; c < 1000; c++) {
        for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
            if (!iswctype(c, wctype(classes[i])) != !rt_iswctype(c, rt_wctype(classes[i])))
                differ("iswctype", classes[i]);
        char x[16] = "", y[16] = "";
        wchar_t v = 7, w = 7;
        errno = *rt___errno_location() = 0;
        if (towupper(c) != rt_towupper(c) || towlower(c) != rt_towlower(c) || wcwidth(c) != rt_wcwidth(c) ||
            wcrtomb(x, c, &(mbstate_t){0}) != rt_wcrtomb(y, c, &(mbstate_t){0}) || memcmp(x, y, sizeof x) ||
            errno != *rt___errno_location())
            differ("wcrtomb", x);
        if (c < 256 && (btowc(c) != rt_btowc(c) || mbrtowc(&v, &(char){(char)c}, 1, &(mbstate_t){0}) !=
                        rt_mbrtowc(&w, &(char){(char)c}, 1, &(mbstate_t){0}) || v != w))
            differ("mbrtowc", "");
    }
    for (int i = 0; i < 50000; i++) {
        char a[14], x[20] = "", y[20] = "";
        wchar_t w[14], v[20] = L"", u[20] = L"", *p, *q;
        size_t length = strlen(any_text(a, sizeof a, i % 3 ? "0123x.e-+ " : "a,;\xe9"));
        for (size_t j = 0; j <= length; j++)
            w[j] = (unsigned char)a[j];
        static const int bases[] = {0, 8, 10, 16};
        int base = bases[random() % 4];
        if (wcstol(w, &p, base) != rt_wcstol(w, &q, base) || p != q)
            differ("wcstol", a);
        double d = wcstod(w, &p), e = rt_wcstod(w, &q);
        if (memcmp(&d, &e, sizeof d) || p != q)
            differ("wcstod", a);
        size_t size = random() % 20;
        if (mbstowcs(v, a, size) != rt_mbstowcs(u, a, size) || wcscmp(v, u) || mbstowcs(NULL, a, 0) != rt_mbstowcs(NULL, a, 0))
            differ("mbstowcs", a);
        if (wcstombs(x, w, size) != rt_wcstombs(y, w, size) || strcmp(x, y) || wcstombs(NULL, w, 0) != rt_wcstombs(NULL, w, 0))
            differ("wcstombs", a);
        if (wcsstr(w, w + length / 2) != rt_wcsstr(w, w + length / 2) || wcsrchr(w, '1') != rt_wcsrchr(w, '1') ||
            sign(wcscmp(w, w + length / 2)) != sign(rt_wcscmp(w, w + length / 2)))
            differ("wcsstr", a);
        wcscpy(v, w), wcscpy(u, w);
        wchar_t *s = v, *t = u;
        do {
            s = wcstok(s == v ? v : NULL, L",;", &p), t = rt_wcstok(t == u ? u : NULL, L",;", &q);
            if (!s != !t || (s && wcscmp(s, t)))
                differ("wcstok", a);
        } while (s && t && s != v);
        size = random() % 20;
        if (swprintf(v, size, L"%d|%ls", i, w) != rt_swprintf(u, size, L"%d|%ls", i, w) && i % 3)
            differ("swprintf", a);
    }
}

int compare_libc(void) {
    integers();
    reals();
    scans();
    sorts();
    times();
    types();
    strings();
    formatted_times();
    names();
    options();
    wide();
    printf("%-28s %s\n", "libc beside the real one", failed ? "differs" : "ok");
    return failed != 0;
}
