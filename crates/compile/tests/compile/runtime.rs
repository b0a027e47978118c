//! The compiled runtime in the cache.

use crate::{Outcome, Project};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tempfile::TempDir;

const TEXT: &str = "\
#include <pthread.h>
static pthread_mutex_t m;
int main(void) { return pthread_mutex_lock(&m); }
";

fn project(cache: &Path) -> Result<Project, Box<dyn std::error::Error>> {
    let mut project = Project::new(&[("a.c", TEXT)])?;
    project.options.environment.cache = Some(cache.to_owned());
    Ok(project)
}

fn runtimes(cache: &Path) -> Result<Vec<(PathBuf, SystemTime, u64)>, std::io::Error> {
    let mut found = Vec::new();
    for entry in fs::read_dir(cache)? {
        let (path, data) =
            (entry.as_ref().map(fs::DirEntry::path), entry.as_ref().map(fs::DirEntry::metadata));
        let (Ok(path), Ok(data)) = (path, data) else { continue };
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("runtime-")) {
            let data = data?;
            found.push((path, data.modified()?, data.len()));
        }
    }
    found.sort();
    Ok(found)
}

#[test]
fn is_used_and_survives_damage() -> Outcome {
    let cache = TempDir::new()?;
    let project = project(&cache.path().join("deep/below"))?;
    let directory = cache.path().join("deep/below");
    project.load(&["a.c"])?;
    let first = runtimes(&directory)?;
    assert_eq!(first.len(), 1);
    project.load(&["a.c"])?;
    assert_eq!(runtimes(&directory)?, first, "it was written again");
    // Truncated, empty, with another byte: each time it is made anew.
    let (path, _, length) = first[0].clone();
    let whole = fs::read(&path)?;
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for damaged in [&whole[..whole.len() / 2], &[], &changed] {
        fs::write(&path, damaged)?;
        project.load(&["a.c"])?;
        assert_eq!(runtimes(&directory)?.iter().map(|entry| entry.2).collect::<Vec<_>>(), [length]);
        assert!(fs::read(&path)? == whole);
    }
    Ok(())
}

#[test]
fn other_flags_have_another_runtime() -> Outcome {
    let cache = TempDir::new()?;
    let project = project(cache.path())?;
    project.load(&["a.c"])?;
    let project = project.flags(&["-DX=1", "-O2"]);
    project.load(&["a.c"])?;
    assert_eq!(runtimes(cache.path())?.len(), 1, "these say nothing about the machine");
    let project = project.flags(&["-m32"]);
    project.load(&["a.c"])?;
    assert_eq!(runtimes(cache.path())?.len(), 2);
    Ok(())
}

#[test]
fn a_cache_that_cannot_be_written_is_no_error() -> Outcome {
    let project = project(Path::new("/proc/nowhere"))?;
    project.load(&["a.c"])?;
    Ok(())
}

#[test]
fn several_at_the_same_time() -> Outcome {
    let cache = TempDir::new()?;
    std::thread::scope(|scope| {
        let load = || project(cache.path()).map_err(|e| e.to_string())?.load(&["a.c"]).map(|_| ());
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(load)).collect();
        for thread in threads {
            assert_eq!(thread.join().ok(), Some(Ok(())));
        }
    });
    assert_eq!(runtimes(cache.path())?.len(), 1);
    Ok(())
}
