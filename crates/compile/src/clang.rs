//! Finding a clang that is new enough.

use crate::cache::{Cache, Key};
use crate::environment::Environment;
use auspex_system::Diagnostic;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

/// Older ones have pointers with types.
const OLDEST: u32 = 15;
/// The newest whose output is known; a newer one is used when it is called just `clang`.
const NEWEST: u32 = 22;

/// A clang that can be used.
#[derive(Clone, Debug)]
pub struct Clang {
    pub path: PathBuf,
    /// What it says of itself: `Debian clang version 19.1.7 (3)`.
    pub version: String,
}

pub fn find(
    asked: Option<&Path>,
    environment: &Environment,
    cache: &Cache,
) -> Result<Clang, Diagnostic> {
    if let Some(path) = asked {
        return named(path, "--clang", environment, cache);
    }
    if let Some(path) = &environment.clang {
        return named(path, "AUSPEX_CLANG", environment, cache);
    }
    let mut too_old = None;
    let versioned = (OLDEST..=NEWEST).rev().map(|version| format!("clang-{version}"));
    for name in std::iter::once("clang".to_owned()).chain(versioned) {
        let Some(path) = environment.find(&name) else { continue };
        let Ok(version) = version(&path, cache) else { continue };
        match number(&version, "clang version ") {
            Some(number) if number >= OLDEST => return Ok(Clang { path, version }),
            Some(number) => too_old = Some((path, number)),
            None => {}
        }
    }
    Err(match too_old {
        Some((path, number)) => old(&path, number),
        None => missing(format!("C programs need clang {OLDEST} or newer, and there is none here")),
    })
}

/// The clang that the user chose.
fn named(
    asked: &Path,
    by: &str,
    environment: &Environment,
    cache: &Cache,
) -> Result<Clang, Diagnostic> {
    let shown = asked.display();
    let Some(path) = environment.resolve(asked) else {
        return Err(missing(format!("there is no program `{shown}`, which {by} asks for")));
    };
    let version = version(&path, cache)
        .map_err(|problem| missing(format!("cannot run `{shown}`: {problem}")))?;
    match number(&version, "clang version ") {
        Some(number) if number >= OLDEST => Ok(Clang { path, version }),
        Some(number) => Err(old(&path, number)),
        None => Err(missing(format!("`{shown}` is not clang: it says it is `{version}`"))),
    }
}

fn missing(message: String) -> Diagnostic {
    Diagnostic::general(message).hint(format!(
        "`apt install clang` (where that is too old: `clang-19`, say), or `--clang PATH` \
         for one of version {OLDEST} or newer that is elsewhere"
    ))
}

fn old(path: &Path, number: u32) -> Diagnostic {
    missing(format!(
        "`{}` is clang {number}, and C programs need clang {OLDEST} or newer",
        path.display()
    ))
}

/// The first line of what `--version` prints. Asking takes as long as compiling something
/// small, so the answer is kept for as long as the file stays the same.
fn version(path: &Path, cache: &Cache) -> Result<String, String> {
    let key = path.metadata().ok().map(|data| {
        let time = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let nanoseconds = time.map_or(0, |time| time.as_nanos());
        let parts = [nanoseconds.to_le_bytes(), u128::from(data.len()).to_le_bytes()];
        Key::new("version", [path.as_os_str().as_encoded_bytes(), &parts[0], &parts[1]])
    });
    if let Some(known) = key.as_ref().and_then(|key| cache.get(key)) {
        return Ok(known);
    }
    let version = first_line(path)?;
    if let Some(key) = &key
        && number(&version, "clang version ").is_some()
    {
        cache.put(key, &version);
    }
    Ok(version)
}

fn first_line(path: &Path) -> Result<String, String> {
    let output = Command::new(path).arg("--version").stdin(Stdio::null()).output();
    let output = output.map_err(|problem| problem.to_string())?;
    if !output.status.success() {
        return Err(format!("`--version` ends with {}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("").to_owned())
}

/// The number that follows `before` in what a program says of its version.
fn number(version: &str, before: &str) -> Option<u32> {
    let (_, rest) = version.split_once(before)?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

/// A program that turns bitcode into text, the newest: bitcode of an older LLVM can be read by
/// a newer one, but not the other way round.
pub fn disassembler(environment: &Environment) -> Option<PathBuf> {
    let versioned = (OLDEST..=NEWEST).rev().map(|version| format!("llvm-dis-{version}"));
    if let Some(path) = versioned.filter_map(|name| environment.find(&name)).next() {
        return Some(path);
    }
    let path = environment.find("llvm-dis")?;
    let output = Command::new(&path).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    (number(&text, "LLVM version ")? >= OLDEST).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn version_numbers() {
        let clang = |text| number(text, "clang version ");
        assert_eq!(clang("Debian clang version 14.0.6"), Some(14));
        assert_eq!(clang("clang version 22.1.8 (1~deb12u1)"), Some(22));
        assert_eq!(clang("Apple clang version 15.0.0 (clang-1500.3.9.4)"), Some(15));
        assert_eq!(clang("gcc (Debian 12.2.0-14) 12.2.0"), None);
        assert_eq!(clang("clang version x"), None);
    }
}
