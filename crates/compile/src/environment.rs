//! What Auspex takes from the process it runs in. Kept in one place so that tests can have
//! another.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Environment {
    /// `$PATH`: where compilers are looked for.
    pub path: OsString,
    /// `$AUSPEX_CLANG`.
    pub clang: Option<PathBuf>,
    /// Where compiled runtimes are kept; `None`: nowhere.
    pub cache: Option<PathBuf>,
}

impl Default for Environment {
    fn default() -> Self {
        let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        let cache = set("XDG_CACHE_HOME")
            .map(PathBuf::from)
            // The specification says that a relative one is to be ignored.
            .filter(|path| path.is_absolute())
            .or_else(|| Some(PathBuf::from(set("HOME")?).join(".cache")));
        Environment {
            path: set("PATH").unwrap_or_default(),
            clang: set("AUSPEX_CLANG").map(PathBuf::from),
            cache: cache.map(|path| path.join("auspex")),
        }
    }
}

impl Environment {
    /// The program of this name on the path.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        env::split_paths(&self.path)
            // An empty entry would mean the current directory, where nobody expects a compiler.
            .filter(|directory| !directory.as_os_str().is_empty())
            .map(|directory| directory.join(name))
            .find(|path| is_program(path))
    }

    /// The program that the user means: a name is looked up, a path is taken as it is.
    pub(crate) fn resolve(&self, program: &Path) -> Option<PathBuf> {
        if program.components().count() == 1
            && let Some(name) = program.to_str()
            && let Some(found) = self.find(name)
        {
            return Some(found);
        }
        is_program(program).then(|| program.to_owned())
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}
