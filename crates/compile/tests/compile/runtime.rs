//! The compiled runtime in the cache.

use crate::{Outcome, Project};
use std::fs;
use tempfile::TempDir;

const TEXT: &str = "\
#include <pthread.h>
static pthread_mutex_t m;
int main(void) { return pthread_mutex_lock(&m); }
";

#[test]
fn it_is_used_and_survives_damage() -> Outcome {
    let cache = TempDir::new()?;
    let mut project = Project::new(&[("a.c", TEXT)])?;
    project.options.environment.cache = Some(cache.path().join("new"));
    project.load(&["a.c"])?;
    let is_runtime = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with("runtime-");
    let entries = fs::read_dir(cache.path().join("new"))?.flatten();
    let found: Vec<_> = entries.filter(|entry| is_runtime(&entry.file_name())).collect();
    assert_eq!(found.len(), 1);
    let (path, written) = (found[0].path(), found[0].metadata()?.modified()?);
    project.load(&["a.c"])?;
    assert_eq!(path.metadata()?.modified()?, written, "it was written again");
    let whole = fs::read(&path)?;
    fs::write(&path, &whole[..whole.len() / 2])?;
    project.load(&["a.c"])?;
    assert!(fs::read(&path)? == whole);
    Ok(())
}

#[test]
fn a_cache_that_cannot_be_written_is_no_error() -> Outcome {
    let mut project = Project::new(&[("a.c", TEXT)])?;
    project.options.environment.cache = Some("/proc/nowhere".into());
    project.load(&["a.c"])?;
    Ok(())
}
