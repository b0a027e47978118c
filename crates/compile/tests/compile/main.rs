//! Programs go through the real clang. `./test` installs one, and llvm-dis comes with it.

mod inputs;
mod linking;
mod messages;
mod runtime;

use auspex_compile::{Environment, Options, Program, load};
use auspex_system::{Diagnostic, SourceMap};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::{fs, io};
use tempfile::TempDir;

/// A directory with sources, and a way to load them.
pub struct Project {
    directory: TempDir,
    pub options: Options,
}

pub type Outcome = Result<(), Box<dyn std::error::Error>>;

/// All tests share one cache, which no other program sees.
fn environment() -> Environment {
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    Environment { clang: None, cache: Some(cache), ..Environment::default() }
}

/// Compiles the runtime once, however many tests and processes begin at the same time.
fn warm_up() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let (lock, program) = (directory.join("lock"), directory.join("warm-up.c"));
        let Ok(lock) = fs::File::create(lock) else { return };
        // Whatever fails here fails in the tests too, which tell.
        let _ = lock.lock();
        let _ = fs::write(&program, "int main(void) {}");
        let roots = vec!["pthread_mutex_lock".to_owned()];
        let options = Options { environment: environment(), roots, ..Options::default() };
        let _ = load(&mut SourceMap::default(), &[program], &options, &is_native);
    });
}

impl Project {
    pub fn new(files: &[(&str, &str)]) -> io::Result<Self> {
        warm_up();
        let directory = TempDir::new()?;
        for (name, text) in files {
            fs::write(directory.path().join(name), text)?;
        }
        let options = Options { environment: environment(), ..Options::default() };
        Ok(Project { directory, options })
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn flags(mut self, flags: &[&str]) -> Self {
        self.options.flags = flags.iter().map(|&flag| flag.to_owned()).collect();
        self
    }

    pub fn attempt(&self, files: &[&str]) -> (Result<Program, Vec<Diagnostic>>, SourceMap) {
        let files: Vec<_> = files.iter().map(|name| self.path(name)).collect();
        let mut sources = SourceMap::default();
        (load(&mut sources, &files, &self.options, &is_native), sources)
    }

    /// Loads what is right.
    pub fn load(&self, files: &[&str]) -> Result<Program, String> {
        let (result, sources) = self.attempt(files);
        result.map_err(|problems| self.render(&problems, &sources))
    }

    /// Loads what is wrong, and gives the messages as the user sees them, without colours.
    pub fn fail(&self, files: &[&str]) -> Result<String, String> {
        match self.attempt(files) {
            (Err(problems), sources) => Ok(self.render(&problems, &sources)),
            (Ok(_), _) => Err("this should not load".to_owned()),
        }
    }

    fn render(&self, problems: &[Diagnostic], sources: &SourceMap) -> String {
        let text: String =
            problems.iter().map(|p| auspex_report::render_diagnostic(p, sources)).collect();
        let directory = format!("{}/", self.directory.path().display());
        without_colours(&text).replace(&directory, "")
    }
}

fn without_colours(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, rest)| rest))
}

/// What the machine is going to provide, as far as these tests need it.
fn is_native(name: &str) -> bool {
    let prefixes = ["__auspex_", "__VERIFIER_"];
    let names = [
        "__assert_fail",
        "abort",
        "calloc",
        "free",
        "longjmp",
        "malloc",
        "memcpy",
        "memset",
        "printf",
        "putchar",
        "puts",
        "realloc",
        "strcmp",
        "strdup",
        "strlen",
        "strchr",
        "strcpy",
        "__rt_missing",
        "vsnprintf",
        "snprintf",
        "exit",
        "memcmp",
        "strncmp",
        "memmove",
    ];
    prefixes.iter().any(|prefix| name.starts_with(prefix)) || names.contains(&name)
}

pub fn contains(text: &str, part: &str) {
    assert!(text.contains(part), "there is no\n{part}\nin\n{text}");
}

/// Writes an executable script.
#[cfg(unix)]
pub fn script(path: &Path, text: &str) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, text)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}
