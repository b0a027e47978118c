//! The directory that output goes to: all of it or nothing, and nothing that somebody else wrote is lost.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::File;

/// What was written for a specification the last time is in a file of this name, behind a dot and the name of the
/// specification: a line for each file, with a hash of its contents.
const MANIFEST: &str = ".generated";

/// The files of a specification, with the hashes that they had.
type Manifest = BTreeMap<PathBuf, u64>;

/// Puts the files of a specification into the directory, and removes those of an earlier time that are not among them.
/// Files that were not written like that, or that were changed since, are left alone: then nothing is written at all,
/// unless `force` is set.
pub fn write(directory: &Path, name: &str, files: &[File], force: bool) -> Result<(), String> {
    let manifest = format!(".{name}{MANIFEST}");
    let old = read_manifests(directory);
    if let Some(strange) = files.iter().find(|file| !leaves(&file.path)) {
        return Err(format!("`{}` is no name for a file", strange.path.display()));
    }
    if let Some(there) = files.iter().find_map(|file| in_the_way(directory, &file.path)) {
        return Err(format!("`{}` is in the way: nothing is written", there.display()));
    }
    let foreign = |file: &&File| !is_ours(directory, &file.path, &old);
    if let Some(file) = files.iter().find(foreign).filter(|_| !force) {
        let path = directory.join(&file.path);
        return Err(format!(
            "`{}` was not written by `auspex generate`, or was changed since: nothing is written (--force overwrites it, -o chooses another directory)",
            path.display()
        ));
    }
    let wrong = |error: io::Error| format!("cannot write to `{}`: {error}", directory.display());
    let scratch = scratch_of(directory);
    let done = fill(&scratch, &manifest, files)
        .and_then(|()| move_all(&scratch, directory, &manifest, files));
    let _ = fs::remove_dir_all(&scratch);
    done.map_err(wrong)?;
    let own = old.get(&manifest).into_iter().flat_map(Manifest::keys);
    for path in own {
        let is_new = files.iter().any(|file| file.path == *path);
        let is_shared =
            old.iter().any(|(other, files)| *other != manifest && files.contains_key(path));
        if !is_new && !is_shared && is_ours(directory, path, &old) {
            // One that is gone already is gone.
            let _ = fs::remove_file(directory.join(path));
        }
    }
    Ok(())
}

/// Only names below the directory.
fn leaves(path: &Path) -> bool {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    path.components().all(is_plain) && path.file_name().is_some()
}

/// A directory where the file should be, or something else where its directory should be.
fn in_the_way(directory: &Path, path: &Path) -> Option<PathBuf> {
    let mut parents: Vec<PathBuf> = path.ancestors().skip(1).map(|a| directory.join(a)).collect();
    parents.reverse();
    let blocked = parents.into_iter().find(|parent| parent.exists() && !parent.is_dir());
    blocked.or_else(|| Some(directory.join(path)).filter(|path| path.is_dir()))
}

/// Is there no such file, or is it as it was written?
fn is_ours(directory: &Path, path: &Path, old: &BTreeMap<String, Manifest>) -> bool {
    match fs::read(directory.join(path)) {
        Ok(contents) => {
            let hash = hash(&contents);
            old.values().any(|manifest| manifest.get(path) == Some(&hash))
        }
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// FNV-1a: the same in every version, and nobody wants to deceive us.
fn hash(contents: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    contents.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Of all specifications that were written there.
fn read_manifests(directory: &Path) -> BTreeMap<String, Manifest> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let manifests = names.filter(|name| name.starts_with('.') && name.ends_with(MANIFEST));
    manifests.map(|name| (name.clone(), read_manifest(&directory.join(name)))).collect()
}

fn read_manifest(path: &Path) -> Manifest {
    let text = fs::read_to_string(path).unwrap_or_default();
    let entry = |line: &str| {
        let (hash, path) = line.split_once(' ')?;
        let path = PathBuf::from(path);
        Some((path, u64::from_str_radix(hash, 16).ok()?)).filter(|(path, _)| leaves(path))
    };
    text.lines().filter_map(entry).collect()
}

/// Where files are written first. In the directory if it is there, since what is beside it may be another file system, or
/// may not be ours to write to.
fn scratch_of(directory: &Path) -> PathBuf {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    let name = format!(".{name}.{}", std::process::id());
    match directory.is_dir() {
        true => directory.join(name),
        false => directory.with_file_name(name),
    }
}

fn fill(scratch: &Path, manifest: &str, files: &[File]) -> io::Result<()> {
    let mut entries = String::new();
    for file in files {
        put(&scratch.join(&file.path), &file.contents)?;
        let hash = hash(file.contents.as_bytes());
        entries += &format!("{hash:016x} {}\n", file.path.display());
    }
    put(&scratch.join(manifest), &entries)
}

fn put(path: &Path, contents: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, contents)
}

/// A directory that is not there yet appears as a whole.
fn move_all(scratch: &Path, directory: &Path, manifest: &str, files: &[File]) -> io::Result<()> {
    if !directory.exists() {
        if let Some(parent) = directory.parent() {
            fs::create_dir_all(parent)?;
        }
        return fs::rename(scratch, directory);
    }
    let paths = files.iter().map(|file| file.path.as_path());
    for path in std::iter::once(Path::new(manifest)).chain(paths) {
        let to = directory.join(path);
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::rename(scratch.join(path), to)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, contents: &str) -> File {
        File { path: path.into(), contents: contents.into() }
    }

    #[test]
    fn the_directory_may_be_all_that_is_ours() {
        // Beside a directory that is there nothing has to be writable, nor on the same file system.
        let home = std::env::temp_dir().join(format!("auspex-scratch-{}", std::process::id()));
        let dir = home.join("out");
        fs::create_dir_all(&dir).expect("writable");
        assert_eq!(scratch_of(&dir).parent(), Some(dir.as_path()));
        assert_eq!(scratch_of(&home.join("new")).parent(), Some(home.as_path()));
        write(&dir, "spec", &[file("lib/a.c", "1")], false).expect("it is there");
        let left = fs::read_dir(&dir).expect("it is there").count();
        assert_eq!(left, 2, "no scratch is left");
        fs::remove_dir_all(&home).expect("ours");
    }

    #[test]
    fn only_what_was_generated_is_overwritten() {
        let home = std::env::temp_dir().join(format!("auspex-directory-{}", std::process::id()));
        let dir = home.join("out");
        let read = |path: &str| fs::read_to_string(dir.join(path)).ok();
        write(&dir, "spec", &[file("a.c", "1"), file("lib/b.c", "2")], false)
            .expect("a new directory");
        assert_eq!(read("lib/b.c").as_deref(), Some("2"));
        // The same again, with other files: those that are no longer wanted go.
        fs::write(dir.join("mine.txt"), "mine").expect("writable");
        write(&dir, "spec", &[file("a.c", "3")], false).expect("an old directory");
        assert_eq!((read("a.c").as_deref(), read("lib/b.c")), (Some("3"), None));
        assert_eq!(read("mine.txt").as_deref(), Some("mine"));
        // What somebody changed or wrote stays, and nothing else changes either.
        fs::write(dir.join("a.c"), "edited").expect("writable");
        for changed in ["a.c", "mine.txt"] {
            let refused = write(&dir, "spec", &[file("new.c", "5"), file(changed, "4")], false);
            assert!(refused.is_err_and(|why| why.contains(changed)));
        }
        assert_eq!((read("a.c").as_deref(), read("new.c")), (Some("edited"), None));
        write(&dir, "spec", &[file("a.c", "4")], true).expect("by force");
        assert_eq!(read("a.c").as_deref(), Some("4"));
        assert!(write(&dir, "spec", &[file("../a.c", "4")], true).is_err());
        // Another specification leaves the files of this one alone, but for those that both have.
        let both = [file("a.c", "4"), file("Makefile", "6")];
        write(&dir, "spec", &both, false).expect("the same again");
        write(&dir, "other", &[file("Makefile", "7")], false).expect("another specification");
        assert_eq!((read("a.c").as_deref(), read("Makefile").as_deref()), (Some("4"), Some("7")));
        write(&dir, "spec", &[file("b.c", "8")], false).expect("without a Makefile");
        assert_eq!((read("a.c"), read("Makefile").as_deref()), (None, Some("7")));
        // What cannot be replaced is known before anything is written, even by force.
        fs::create_dir(dir.join("sub.c")).expect("writable");
        fs::write(dir.join("library"), "a file").expect("writable");
        for (there, wanted) in [("sub.c", "sub.c"), ("library", "library/c.c")] {
            let refused = write(&dir, "spec", &[file("b.c", "9"), file(wanted, "9")], true);
            assert!(refused.is_err_and(|why| why.contains(there)));
            assert_eq!(read("b.c").as_deref(), Some("8"));
        }
        let left: Vec<_> = fs::read_dir(&home).expect("it is there").collect();
        assert_eq!(left.len(), 1, "no scratch is left");
        fs::remove_dir_all(&home).expect("ours");
    }
}
