//! Names that C or its library has already.

use crate::tree::{Spec, VarId};
use std::collections::HashSet;
use std::sync::LazyLock;

/// What a name of the specification is called in C. Code that stands in the specification and uses one that C has
/// means that of C. `time` is `time_`, and so `time_` has to be `time__`: no two names become one.
pub fn safe(name: &str) -> String {
    match is_taken(name) || is_taken(name.trim_end_matches('_')) {
        true => format!("{name}_"),
        false => name.to_string(),
    }
}

/// What a label is called: only words of C cannot be one.
pub fn label(name: &str) -> String {
    let stem = name.trim_end_matches('_');
    match KEYWORDS.split_whitespace().any(|word| word == stem) {
        true => format!("{name}_"),
        false => name.to_string(),
    }
}

pub fn variable(spec: &Spec, id: VarId) -> String {
    let variable = spec.variable(id);
    match variable.model_only {
        true => variable.ident.clone(),
        false => safe(&variable.ident),
    }
}

/// The macros, functions and types of the headers of POSIX that implementations want, and the words of C.
static TAKEN: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let words = include_str!("reserved.txt").split_whitespace();
    words
        .chain(KEYWORDS.split_whitespace())
        .chain(BUILT_IN.split_whitespace())
        .chain(GENERATED.split_whitespace())
        .collect()
});

pub fn is_taken(name: &str) -> bool {
    let prefixes = ["__", "ax_", "model_", "output_", "proc_", "gen_", "GEN_", "GENLIB"];
    TAKEN.contains(name)
        || prefixes.iter().any(|prefix| name.starts_with(prefix))
        || name.starts_with('_') && name[1..].starts_with(|c: char| c.is_ascii_uppercase())
}

const KEYWORDS: &str = "alignas alignof asm auto bool break case char const constexpr continue default do double else \
    enum extern false float for goto if inline int long nullptr register restrict return short signed sizeof static \
    static_assert struct switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while";

/// Functions that compilers know by themselves.
const BUILT_IN: &str = "abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs \
    fdim floor fma fmax fmin fmod frexp gamma hypot ilogb index j0 j1 jn ldexp lgamma llrint llround log log10 log1p \
    log2 logb lrint lround modf nan nearbyint nextafter pow remainder remquo rindex rint round scalb scalbln scalbn \
    signbit significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn";

/// What the generated text itself defines.
const GENERATED: &str = "argc argv ax main mtype mtype_name run init_globals";
