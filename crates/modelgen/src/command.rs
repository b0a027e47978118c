//! Running another program with a limit on its time.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;

/// What a program that ended by itself left behind.
#[derive(Debug)]
pub struct Finished {
    pub status: ExitStatus,
    /// Standard output and standard error, in the order written.
    pub output: String,
}

#[derive(Debug)]
pub enum Failure {
    /// It could not be started, or its output not be read.
    Io(io::Error),
    Timeout,
}

/// Runs `command` in `dir`. The output goes through a file rather than a pipe, so that a
/// talkative program cannot block on us while we wait for it.
pub fn run(command: &mut Command, dir: &Path, limit: Duration) -> Result<Finished, Failure> {
    let log = dir.join("output.log");
    let file = File::create(&log).map_err(Failure::Io)?;
    let copy = file.try_clone().map_err(Failure::Io)?;
    command.current_dir(dir).stdin(Stdio::null()).stdout(file).stderr(copy);
    let mut child = command.spawn().map_err(Failure::Io)?;
    match child.wait_timeout(limit).map_err(Failure::Io)? {
        Some(status) => {
            let bytes = std::fs::read(&log).map_err(Failure::Io)?;
            Ok(Finished { status, output: String::from_utf8_lossy(&bytes).into_owned() })
        }
        None => {
            // The child may have ended in the meantime; either way it is gone afterwards.
            let _ = child.kill();
            let _ = child.wait();
            Err(Failure::Timeout)
        }
    }
}
