//! The models of the corpus and their headers, in parallel.

use crate::header::{self, Header};
use crate::judge::{self, Limits};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// All the `.pml` files under `dir`, in order.
pub fn models(dir: &Path) -> Vec<PathBuf> {
    files(dir, "pml")
}

/// All the files under `dir` with this extension, in order.
pub fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(dir, extension, &mut found);
    found.sort();
    found
}

fn collect(dir: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|its| its == extension) {
            found.push(path);
        }
    }
}

/// The text of a model and what it expects.
pub fn read(file: &Path) -> Result<(String, Header), String> {
    let text = std::fs::read_to_string(file).map_err(|why| why.to_string())?;
    let header = header::parse(&text)?;
    Ok((text, header))
}

/// Checks the header of a model against Spin.
pub fn verify(file: &Path) -> Result<(), String> {
    let (_, header) = read(file)?;
    if header.differs {
        return Ok(());
    }
    let verdict = judge::judge(file, Limits::default()).map_err(|why| why.to_string())?;
    header::disagreement(&header.expect, &verdict).map_or(Ok(()), Err)
}

/// Writes what Spin finds into the header of a model, then checks the whole header.
pub fn fill(file: &Path) -> Result<(), String> {
    let (text, header) = read(file)?;
    if header.differs {
        return Ok(());
    }
    let verdict = judge::judge(file, Limits::default()).map_err(|why| why.to_string())?;
    let filled = header::fill(&text, &verdict);
    if filled != text {
        std::fs::write(file, &filled).map_err(|why| why.to_string())?;
    }
    header::disagreement(&header::parse(&filled)?.expect, &verdict).map_or(Ok(()), Err)
}

/// Does `work` on all `items`, on `threads` threads, and gives what went wrong, in order.
pub fn for_all<T: Sync>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> Result<(), String> + Sync,
) -> Vec<(usize, String)> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, item)) = take(&next, items) {
                    if let Err(why) = work(item) {
                        failures.lock().unwrap_or_else(|e| e.into_inner()).push((index, why));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap_or_else(|e| e.into_inner());
    failures.sort();
    failures
}

fn take<'a, T>(next: &AtomicUsize, items: &'a [T]) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    items.get(index).map(|item| (index, item))
}
