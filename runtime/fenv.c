/* <fenv.h>: numbers are rounded to the nearest. Arithmetic raises no flags: what a program raises itself is kept, and to ask for
   anything else is not supported. */
#include "runtime.h"

#include <fenv.h>
#include <string.h>

#undef feclearexcept
#undef feraiseexcept

static _Thread_local int raised;

int feclearexcept(int which) {
    raised &= ~which;
    return 0;
}

int feraiseexcept(int which) {
    raised |= which & FE_ALL_EXCEPT;
    return 0;
}

int fesetexcept(int which);
int fesetexcept(int which) {
    return feraiseexcept(which);
}

int fetestexcept(int which) {
    which &= FE_ALL_EXCEPT;
    if (which & ~raised)
        __auspex_fault("unsupported", "whether arithmetic has raised a floating-point exception");
    return which;
}

int fegetexceptflag(fexcept_t *flags, int which) {
    *flags = (fexcept_t)(raised & which);
    return 0;
}

int fesetexceptflag(const fexcept_t *flags, int which) {
    raised = (raised & ~which) | (*flags & which & FE_ALL_EXCEPT);
    return 0;
}

int fegetround(void) {
    return FE_TONEAREST;
}

int fesetround(int mode) {
    return mode != FE_TONEAREST;
}

int fegetexcept(void) {
    return 0;
}

/* None of them can trap. */
int feenableexcept(int which) {
    return which & FE_ALL_EXCEPT ? -1 : 0;
}

int fedisableexcept(int which) {
    (void)which;
    return 0;
}

/* An environment is the flags, somewhere in glibc's structure. */
int fegetenv(fenv_t *environment) {
    memset(environment, 0, sizeof *environment);
    memcpy(environment, &raised, sizeof raised);
    return 0;
}

int feholdexcept(fenv_t *environment) {
    fegetenv(environment);
    raised = 0;
    return 0;
}

int fesetenv(const fenv_t *environment) {
    raised = 0;
    if (environment != FE_DFL_ENV)
        memcpy(&raised, environment, sizeof raised);
    return 0;
}

int feupdateenv(const fenv_t *environment) {
    int before = raised;
    fesetenv(environment);
    return feraiseexcept(before);
}
