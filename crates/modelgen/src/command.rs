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
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    /// All that it said.
    pub fn output(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

#[derive(Debug)]
pub enum Failure {
    /// It could not be started, or its output not be read.
    Io(io::Error),
    Timeout,
}

/// Runs `command` in `dir`. The output goes through files rather than pipes, so that a talkative
/// program cannot block on us while we wait for it.
pub fn run(command: &mut Command, dir: &Path, limit: Duration) -> Result<Finished, Failure> {
    let (out, err) = (dir.join("stdout.log"), dir.join("stderr.log"));
    command.stdout(File::create(&out).map_err(Failure::Io)?);
    command.stderr(File::create(&err).map_err(Failure::Io)?);
    let mut child = command.current_dir(dir).stdin(Stdio::null()).spawn().map_err(Failure::Io)?;
    match child.wait_timeout(limit).map_err(Failure::Io)? {
        Some(status) => Ok(Finished { status, stdout: read(&out)?, stderr: read(&err)? }),
        None => {
            // The child may have ended in the meantime; either way it is gone afterwards.
            let _ = child.kill();
            let _ = child.wait();
            Err(Failure::Timeout)
        }
    }
}

fn read(log: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(log).map_err(Failure::Io)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
