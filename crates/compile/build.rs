//! Embeds the runtime: an installed `auspex` has no source tree beside it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let root = manifest.join("../../runtime");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    if root.is_dir() {
        collect(&root, "", &mut files)?;
    }
    files.sort();
    let mut text = String::from("pub static FILES: &[(&str, &str)] = &[\n");
    for (name, path) in &files {
        let path = path.canonicalize()?;
        let _ = writeln!(text, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    text.push_str("];\n");
    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(out.join("runtime.rs"), text)
}

/// The sources in a directory, by their names below `runtime`. Of the directories there, only
/// `include` is part of the runtime: the others are its tests.
fn collect(directory: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            if name.split('/').next() == Some("include") {
                collect(&path, &format!("{name}/"), files)?;
            }
        } else if path.extension().is_some_and(|e| e == "c" || e == "h") {
            files.push((name, path));
        }
    }
    Ok(())
}
