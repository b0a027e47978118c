//! Trace files: written beside the report, read back to walk or draw them.

use crate::exit::Failure;
use crate::input::{Input, Program, Source};
use crate::output;
use auspex_report::{FORMAT, Fault, SourceHash, Step, TraceFile, source_files};
use auspex_search::Trace;
use auspex_system as system;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Counts up when older versions could no longer read a file.
const VERSION: u32 = 1;

/// Where trace number `index` goes: as asked for, by default beside the report under the name of
/// the input. Several traces (`--all`) are numbered.
pub fn path(asked: Option<&Path>, source: &Source, index: usize) -> PathBuf {
    let base = asked.map(Path::to_path_buf).unwrap_or_else(|| {
        let name = source.file().file_name().unwrap_or(source.file().as_os_str());
        PathBuf::from(format!("{}.trace.json", name.to_string_lossy()))
    });
    if index == 0 { base } else { numbered(&base, index + 1) }
}

/// `a.trace.json` as `a.trace.2.json`.
fn numbered(base: &Path, number: usize) -> PathBuf {
    let extension = base.extension().map(|e| format!(".{}", e.to_string_lossy()));
    base.with_extension(format!("{number}{}", extension.unwrap_or_default()))
}

/// What a trace file of this input holds.
pub fn compose<P>(
    input: &Input<P>,
    property: &str,
    trace: &Trace,
    fault: &Fault,
    readable: &[Step],
) -> TraceFile {
    let directory = |dir: &PathBuf| dir.to_string_lossy().into_owned();
    TraceFile {
        format: FORMAT.to_string(),
        version: VERSION,
        tool_version: env!("CARGO_PKG_VERSION").to_string(),
        input: input.source.file().to_string_lossy().into_owned(),
        sources: input.hashes.clone(),
        defines: input.source.defines.clone(),
        include_dirs: input.source.include_dirs.iter().map(directory).collect(),
        property: property.to_string(),
        formula: None,
        fault: fault.clone(),
        initial: trace.initial.0,
        steps: trace.steps.iter().map(|step| step.0).collect(),
        cycle_from: None,
        readable: readable.iter().map(|step| Step { state: None, ..step.clone() }).collect(),
    }
}

/// Writes the file; a failure is told, but does not change the verdict.
pub fn write(path: &Path, file: &TraceFile) -> Option<String> {
    match serde_json::to_vec_pretty(file).map_err(io::Error::from).and_then(|b| replace(path, &b)) {
        Ok(()) => Some(path.to_string_lossy().into_owned()),
        Err(failure) => {
            output::warning(&format!("cannot write the trace to `{}`: {failure}", path.display()));
            None
        }
    }
}

/// All or nothing: written under another name, then renamed.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        // A device or a pipe (`/dev/stdout`) must not be replaced by a file.
        return fs::OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

pub fn read(path: &Path) -> Result<TraceFile, Failure> {
    let shown = path.display();
    let bytes = fs::read(path)
        .map_err(|failure| Failure::wrong(format!("cannot read the trace `{shown}`: {failure}")))?;
    let file: TraceFile = serde_json::from_slice(&bytes)
        .map_err(|failure| Failure::wrong(format!("`{shown}` is no trace of Auspex: {failure}")))?;
    if file.format != FORMAT || file.version > VERSION {
        let (format, version) = (&file.format, file.version);
        return Err(Failure::wrong(format!(
            "`{shown}` has format `{format}` version {version}; this Auspex reads `{FORMAT}` up to version {VERSION}"
        )));
    }
    Ok(file)
}

/// The settings of the command line; those of the trace where there are none.
pub fn settings(source: &Source, file: &TraceFile) -> Source {
    let mut source = source.clone();
    if source.defines.is_empty() && source.include_dirs.is_empty() {
        source.defines = file.defines.clone();
        source.include_dirs = file.include_dirs.iter().map(PathBuf::from).collect();
    }
    source
}

/// A trace is a list of choices: it means something only for the very same text.
pub fn fits<P: Program>(input: &Input<P>, file: &TraceFile, path: &Path) -> Result<(), Failure> {
    // The same file may be named by another path today.
    let digests =
        |hashes: &[SourceHash]| hashes.iter().map(|h| h.sha256.clone()).collect::<Vec<_>>();
    let now = &input.hashes;
    if digests(now) == digests(&file.sources) {
        return Ok(());
    }
    let changed = now.iter().zip(&file.sources).find(|(a, b)| a.sha256 != b.sha256);
    let which = changed.map_or("another set of files", |(now, _)| now.file.as_str());
    Err(Failure::wrong(format!(
        "the trace `{}` does not fit: it was made from other text of `{which}`; run `auspex check` again",
        path.display()
    )))
}

/// The choices of a file as the search counts them.
pub fn choices(file: &TraceFile) -> Trace {
    Trace {
        initial: system::Step(file.initial),
        steps: file.steps.iter().map(|step| system::Step(*step)).collect(),
    }
}

pub fn hashes(sources: &system::SourceMap) -> Vec<SourceHash> {
    let hash = |(name, text): (&str, &str)| SourceHash {
        file: name.to_string(),
        sha256: digest(text.as_bytes()),
    };
    source_files(sources).into_iter().map(hash).collect()
}

/// The SHA-256 of some bytes.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_named_after_the_input() {
        let source = Source { files: vec!["dir/a.pml".into()], ..Source::default() };
        assert_eq!(path(None, &source, 0), Path::new("a.pml.trace.json"));
        assert_eq!(path(None, &source, 1), Path::new("a.pml.trace.2.json"));
        assert_eq!(path(Some(Path::new("out/t")), &source, 0), Path::new("out/t"));
        assert_eq!(path(Some(Path::new("out/t")), &source, 2), Path::new("out/t.3"));
    }
}
