//! Files that save time and may vanish, or be unwritable, at any moment.
//!
//! A file is written under a temporary name and then renamed, so that several processes can
//! share the directory; it begins with a hash of the rest, so that damage is noticed.

use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// How many files of one kind are kept: each version of clang and set of flags has its own.
const KEPT: usize = 12;

pub struct Cache {
    directory: Option<PathBuf>,
}

/// The name of an entry: what kind it is, and a hash of all it depends on.
pub struct Key {
    kind: &'static str,
    name: String,
}

impl Key {
    pub fn new<'p>(kind: &'static str, parts: impl IntoIterator<Item = &'p [u8]>) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            // With the lengths, no two lists of parts give the same bytes.
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Key { kind, name: format!("{kind}-{}", &hexadecimal(&hasher.finalize())[..32]) }
    }
}

impl Cache {
    pub fn new(directory: Option<PathBuf>) -> Self {
        Cache { directory }
    }

    pub fn get(&self, key: &Key) -> Option<String> {
        let text = fs::read_to_string(self.directory.as_ref()?.join(&key.name)).ok()?;
        let (hash, rest) = text.split_once('\n')?;
        (hash == hexadecimal(&Sha256::digest(rest))).then(|| rest.to_owned())
    }

    /// Keeps the text, if that is possible.
    pub fn put(&self, key: &Key, text: &str) {
        let Some(directory) = &self.directory else { return };
        let write = || {
            fs::create_dir_all(directory)?;
            let mut file = tempfile::NamedTempFile::new_in(directory)?;
            writeln!(file, "{}", hexadecimal(&Sha256::digest(text)))?;
            file.write_all(text.as_bytes())?;
            file.persist(directory.join(&key.name)).map_err(|failure| failure.error)
        };
        if write().is_ok() {
            self.prune(key.kind);
        }
    }

    /// Removes the oldest entries of a kind.
    fn prune(&self, kind: &str) {
        let Some(Ok(entries)) = self.directory.as_ref().map(fs::read_dir) else { return };
        let prefix = format!("{kind}-");
        let mut found: Vec<_> = entries
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix))
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        found.sort();
        for (_, path) in &found[..found.len().saturating_sub(KEPT)] {
            // Another process may have removed it.
            let _ = fs::remove_file(path);
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_finds_and_notices_damage() -> Result<(), Box<dyn std::error::Error>> {
        let directory = tempfile::tempdir()?;
        let cache = Cache::new(Some(directory.path().join("new")));
        let key = Key::new("text", [b"ab".as_slice(), b"c"]);
        assert_ne!(key.name, Key::new("text", [b"a".as_slice(), b"bc"]).name);
        assert_eq!(cache.get(&key), None);
        cache.put(&key, "some text\n");
        assert_eq!(cache.get(&key).as_deref(), Some("some text\n"));
        let path = directory.path().join("new").join(&key.name);
        for damaged in ["", "some text\n", "0123\nsome text\n"] {
            fs::write(&path, damaged)?;
            assert_eq!(cache.get(&key), None);
        }
        Ok(())
    }

    #[test]
    fn only_the_newest_stay() -> Result<(), Box<dyn std::error::Error>> {
        let directory = tempfile::tempdir()?;
        let cache = Cache::new(Some(directory.path().to_owned()));
        for number in 0..KEPT as u8 + 5 {
            cache.put(&Key::new("text", [[number].as_slice()]), "x");
            cache.put(&Key::new("other", [b"1".as_slice()]), "x");
        }
        assert_eq!(fs::read_dir(directory.path())?.count(), KEPT + 1);
        Ok(())
    }

    #[test]
    fn nowhere_to_write_is_no_error() {
        let key = Key::new("text", [b"a".as_slice()]);
        for directory in [None, Some(PathBuf::from("/proc/nowhere"))] {
            let cache = Cache::new(directory);
            cache.put(&key, "x");
            assert_eq!(cache.get(&key), None);
        }
    }
}
