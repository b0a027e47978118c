/* <complex.h>: multiplication and division as C's annex G has them (the compiler calls them by name), and the simple functions. */
#include "runtime.h"

#include <complex.h>
#include <math.h>

/* A number that is 1 or 0 as the original was infinite or not, with its sign. */
#define BOXED(x) copysign(isinf(x) ? 1.0 : 0.0, (double)(x))
/* 0 in place of a NaN, with its sign. */
#define CLEARED(x) (isnan(x) ? copysign(0.0, (double)(x)) : (x))

/* (a + ib) * (c + id); what is infinite stays so, although the plain formula gives two NaNs. */
#define MULTIPLY(NAME, REAL)                                                                                                     \
    REAL _Complex NAME(REAL a, REAL b, REAL c, REAL d) {                                                                         \
        REAL ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                                                     \
        REAL x = ac - bd, y = ad + bc;                                                                                           \
        if (isnan(x) && isnan(y)) {                                                                                              \
            int again = 0;                                                                                                       \
            if (isinf(a) || isinf(b)) {                                                                                          \
                a = BOXED(a), b = BOXED(b), c = CLEARED(c), d = CLEARED(d);                                                      \
                again = 1;                                                                                                       \
            }                                                                                                                    \
            if (isinf(c) || isinf(d)) {                                                                                          \
                c = BOXED(c), d = BOXED(d), a = CLEARED(a), b = CLEARED(b);                                                      \
                again = 1;                                                                                                       \
            }                                                                                                                    \
            if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {                                                  \
                a = CLEARED(a), b = CLEARED(b), c = CLEARED(c), d = CLEARED(d);                                                  \
                again = 1;                                                                                                       \
            }                                                                                                                    \
            if (again) {                                                                                                         \
                x = (REAL)INFINITY * (a * c - b * d);                                                                            \
                y = (REAL)INFINITY * (a * d + b * c);                                                                            \
            }                                                                                                                    \
        }                                                                                                                        \
        REAL _Complex z;                                                                                                         \
        __real__ z = x, __imag__ z = y;                                                                                          \
        return z;                                                                                                                \
    }

/* (a + ib) / (c + id), scaled so that the denominator neither overflows nor vanishes. */
#define DIVIDE(NAME, REAL, LOGB, SCALBN, FMAX, FABS)                                                                             \
    REAL _Complex NAME(REAL a, REAL b, REAL c, REAL d) {                                                                         \
        int scale = 0;                                                                                                           \
        REAL logarithm = LOGB(FMAX(FABS(c), FABS(d)));                                                                           \
        if (isfinite(logarithm)) {                                                                                               \
            scale = (int)logarithm;                                                                                              \
            c = SCALBN(c, -scale), d = SCALBN(d, -scale);                                                                        \
        }                                                                                                                        \
        REAL square = c * c + d * d;                                                                                             \
        REAL x = SCALBN((a * c + b * d) / square, -scale);                                                                       \
        REAL y = SCALBN((b * c - a * d) / square, -scale);                                                                       \
        if (isnan(x) && isnan(y)) {                                                                                              \
            if (square == 0 && (!isnan(a) || !isnan(b))) {                                                                       \
                x = (REAL)copysign(INFINITY, (double)c) * a;                                                                     \
                y = (REAL)copysign(INFINITY, (double)c) * b;                                                                     \
            } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                                                   \
                a = BOXED(a), b = BOXED(b);                                                                                      \
                x = (REAL)INFINITY * (a * c + b * d);                                                                            \
                y = (REAL)INFINITY * (b * c - a * d);                                                                            \
            } else if (isinf(logarithm) && logarithm > 0 && isfinite(a) && isfinite(b)) {                                        \
                c = BOXED(c), d = BOXED(d);                                                                                      \
                x = 0 * (a * c + b * d);                                                                                         \
                y = 0 * (b * c - a * d);                                                                                         \
            }                                                                                                                    \
        }                                                                                                                        \
        REAL _Complex z;                                                                                                         \
        __real__ z = x, __imag__ z = y;                                                                                          \
        return z;                                                                                                                \
    }

#define PARTS(REAL, SUFFIX)                                                                                                      \
    REAL(creal##SUFFIX)(REAL _Complex z) {                                                                                       \
        return __real__ z;                                                                                                       \
    }                                                                                                                            \
    REAL(cimag##SUFFIX)(REAL _Complex z) {                                                                                       \
        return __imag__ z;                                                                                                       \
    }                                                                                                                            \
    REAL(cabs##SUFFIX)(REAL _Complex z) {                                                                                        \
        return hypot##SUFFIX(__real__ z, __imag__ z);                                                                            \
    }                                                                                                                            \
    REAL(carg##SUFFIX)(REAL _Complex z) {                                                                                        \
        return atan2##SUFFIX(__imag__ z, __real__ z);                                                                            \
    }                                                                                                                            \
    REAL _Complex(conj##SUFFIX)(REAL _Complex z) {                                                                               \
        __imag__ z = -__imag__ z;                                                                                                \
        return z;                                                                                                                \
    }                                                                                                                            \
    REAL _Complex(cproj##SUFFIX)(REAL _Complex z) {                                                                              \
        if (isinf(__real__ z) || isinf(__imag__ z)) {                                                                            \
            __imag__ z = (REAL)copysign(0.0, (double)__imag__ z);                                                                \
            __real__ z = (REAL)INFINITY;                                                                                         \
        }                                                                                                                        \
        return z;                                                                                                                \
    }

MULTIPLY(__mulsc3, float)
MULTIPLY(__muldc3, double)
MULTIPLY(__mulxc3, long double)
DIVIDE(__divsc3, float, logbf, scalbnf, fmaxf, fabsf)
DIVIDE(__divdc3, double, logb, scalbn, fmax, fabs)
DIVIDE(__divxc3, long double, logbl, scalbnl, fmaxl, fabsl)
PARTS(float, f)
PARTS(double, )
PARTS(long double, l)
