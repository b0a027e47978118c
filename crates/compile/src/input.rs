//! What kind of file each input is, and whether it can be read at all.

use auspex_system::Diagnostic;
use std::fs;
use std::io::Read;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `.c` and `.i`: for clang.
    C,
    /// `.ll`.
    Text,
    /// `.bc`.
    Bitcode,
}

/// Looks at a file before a compiler does: the messages for the usual mistakes are better.
pub fn kind(path: &Path) -> Result<Kind, Diagnostic> {
    let shown = path.display();
    if path.is_dir() {
        let message = format!("cannot read `{shown}`: it is a directory");
        return Err(Diagnostic::general(message).hint("give the files of the program in it"));
    }
    let extension = path.extension().map(|e| e.to_string_lossy()).unwrap_or_default();
    let kind = match &*extension {
        "c" | "i" => Kind::C,
        "ll" => Kind::Text,
        "bc" => Kind::Bitcode,
        "cc" | "cpp" | "cxx" | "c++" | "C" | "ii" => return Err(later(path, "C++")),
        "rs" => return Err(later(path, "Rust")),
        "h" | "hh" | "hpp" => {
            let message = format!("`{shown}` is a header, not a program");
            return Err(Diagnostic::general(message).hint("give the `.c` files that include it"));
        }
        "o" | "a" | "so" => {
            let message = format!("`{shown}` is compiled already: what it does can not be seen");
            return Err(Diagnostic::general(message).hint("give the sources, or LLVM bitcode"));
        }
        _ => {
            let message = format!("cannot tell what `{shown}` is from its name");
            let hint = "programs are `.c`, `.i` (preprocessed C), `.ll` or `.bc` (LLVM IR)";
            return Err(Diagnostic::general(message).hint(hint));
        }
    };
    match fs::File::open(path).and_then(|mut file| file.read(&mut [0])) {
        Ok(_) => Ok(kind),
        Err(problem) => Err(Diagnostic::general(format!("cannot read `{shown}`: {problem}"))),
    }
}

fn later(path: &Path, language: &str) -> Diagnostic {
    let message = format!("`{}` is {language}, which Auspex can not check yet", path.display());
    Diagnostic::general(message)
        .hint("for now, programs are C (`.c`, `.i`) or LLVM IR (`.ll`, `.bc`)")
}
