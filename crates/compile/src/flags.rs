//! What clang is told, and why.

use crate::Optimise;
use auspex_system::Diagnostic;

/// For all code, the user's and the runtime's.
const ALWAYS: &[&str] = &[
    // Lines, columns, variables and types: traces speak C.
    "-g",
    // Registers keep the names that clang gives them.
    "-fno-discard-value-names",
    // Defines what the headers want to see in programs with threads.
    "-pthread",
    // Hardening that a machine with its own checks of memory has no use for.
    "-fno-stack-protector",
    "-fcf-protection=none",
    // No detours through tables in calls and accesses to globals.
    "-fno-pic",
    "-fno-pie",
    // `-lpthread` and the like are part of many a list of flags.
    "-Qunused-arguments",
    "-fno-color-diagnostics",
    "-D__AUSPEX__=1",
];

/// For the user's code, after the user's flags: what would only get in the way.
const LAST: &[&str] = &[
    // Both replace calls and accesses by checking ones; the machine checks them itself.
    "-U_FORTIFY_SOURCE",
    "-fno-sanitize=all",
    "-fno-lto",
    "-S",
    "-emit-llvm",
    "-o",
    "-",
];

/// Signed `<<` that overflows: LLVM IR has one `shl` for signed and unsigned numbers, so only the
/// compiler can tell. The trap is one that the machine knows.
const CHECKS: &[&str] = &["-fsanitize=shift-base", "-fsanitize-trap=shift-base"];

/// For the runtime. It implements library functions: clang must not take the loop in one for a
/// call of it. Types are no hint of what is an alias: that only makes the text longer.
const RUNTIME: &[&str] = &[
    "-std=gnu11",
    "-O1",
    "-fno-builtin",
    "-fno-strict-aliasing",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unroll-loops",
    "-w",
    "-S",
    "-emit-llvm",
    "-o",
    "-",
];

/// The user's flags, sorted out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserFlags {
    /// For compiling the user's files.
    pub compile: Vec<String>,
    /// The part that says for which machine: the runtime needs it too.
    pub target: Vec<String>,
    /// `-O1` and the like, the last of them.
    pub optimise: Option<Optimise>,
}

impl UserFlags {
    /// Takes what a build system would say to a compiler. That it shall compile, where the
    /// output goes, and which dependencies to note is dropped; that it shall do something else
    /// than compile is an error.
    pub fn sort(flags: &[String]) -> Result<Self, Diagnostic> {
        let mut sorted = UserFlags::default();
        let mut rest = flags.iter();
        while let Some(flag) = rest.next() {
            match flag.as_str() {
                "-c" | "-S" | "-emit-llvm" | "-MD" | "-MMD" | "-MP" | "-MV" | "-MG" => {}
                "-o" | "-MF" | "-MT" | "-MQ" | "-MJ" => {
                    rest.next();
                }
                "-E" | "-M" | "-MM" | "-fsyntax-only" | "--version" | "--help" | "-###" => {
                    let message = format!("the compiler flag `{flag}` asks for no compilation");
                    return Err(Diagnostic::general(message).hint("leave it out"));
                }
                "-target" | "-isysroot" | "--sysroot" | "-arch" => {
                    let parts = std::iter::once(flag).chain(rest.next()).cloned();
                    let parts: Vec<_> = parts.collect();
                    sorted.compile.extend_from_slice(&parts);
                    sorted.target.extend(parts);
                }
                // `-mllvm` is about how code is made, and takes an argument.
                "-mllvm" => {
                    sorted.compile.extend(std::iter::once(flag).chain(rest.next()).cloned())
                }
                "-O0" => sorted.optimise = Some(Optimise::None),
                "-O" | "-O1" | "-Og" => sorted.optimise = Some(Optimise::One),
                "-O2" | "-O3" | "-Os" | "-Oz" => sorted.optimise = Some(Optimise::Two),
                _ => {
                    if is_target(flag) {
                        sorted.target.push(flag.clone());
                    }
                    sorted.compile.push(flag.clone());
                }
            }
        }
        Ok(sorted)
    }
}

fn is_target(flag: &str) -> bool {
    let prefixes = ["-m", "--target=", "--sysroot=", "--gcc-toolchain=", "--gcc-install-dir="];
    prefixes.iter().any(|prefix| flag.starts_with(prefix))
}

/// For one of the user's files. Later flags win over earlier ones.
pub fn for_program(optimise: Optimise, user: &UserFlags) -> Vec<String> {
    let level: &[&str] = match optimise {
        // Not `optnone`: it says that nothing may be done to the function, ever.
        // The last one is about marks of where a variable's block begins and ends, which -O0 leaves
        // out otherwise; it does not bring the sanitizer.
        Optimise::None => &[
            "-O0",
            "-Xclang",
            "-disable-O0-optnone",
            "-Xclang",
            "-fsanitize-address-use-after-scope",
        ],
        Optimise::One => &["-O1"],
        Optimise::Two => &["-O2"],
    };
    let checks: &[&str] = match optimise {
        Optimise::None => CHECKS,
        _ => &[],
    };
    let strings = |flags: &[&str]| flags.iter().map(|flag| (*flag).to_owned()).collect::<Vec<_>>();
    [strings(ALWAYS), strings(level), user.compile.clone(), strings(LAST), strings(checks)].concat()
}

/// For a file of the runtime.
pub fn for_runtime(target: &[String]) -> Vec<String> {
    let strings = |flags: &[&str]| flags.iter().map(|flag| (*flag).to_owned()).collect::<Vec<_>>();
    [strings(ALWAYS), target.to_vec(), strings(RUNTIME)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sort(line: &str) -> Result<UserFlags, Diagnostic> {
        UserFlags::sort(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_about_output_is_dropped() -> Result<(), Diagnostic> {
        let flags = sort("-c -DN=3 -MMD -MF a.d -o a.o -Iinclude")?;
        assert_eq!(flags.compile, ["-DN=3", "-Iinclude"]);
        assert!(flags.target.is_empty());
        Ok(())
    }

    #[test]
    fn the_machine_is_for_the_runtime_too() -> Result<(), Diagnostic> {
        let flags = sort("-m32 -O2 -target i386-linux-gnu --target=x -mllvm -foo -Dm")?;
        assert_eq!(flags.target, ["-m32", "-target", "i386-linux-gnu", "--target=x"]);
        assert_eq!(flags.compile.len(), 7);
        assert_eq!(flags.optimise, Some(Optimise::Two));
        Ok(())
    }

    #[test]
    fn flags_for_something_else_are_refused() {
        assert!(sort("-E").is_err());
        assert_eq!(sort("-o").map(|flags| flags.compile.len()).ok(), Some(0));
    }
}
