//! Does Spin accept what we accept, and refuse what we refuse?

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::snippets::{AGREED, WE_ACCEPT, WE_REFUSE};
use crate::{listed, parse};

struct Spin {
    directory: PathBuf,
}

impl Spin {
    /// `None` where Spin is not installed, which is a failure on the machine that checks changes.
    fn find() -> Option<Spin> {
        let found = Command::new("spin").arg("-V").output().is_ok();
        let required = std::env::var("CI").is_ok_and(|value| value == "true");
        assert!(found || !required, "CI=true, but there is no `spin` to compare with: install it");
        if !found {
            eprintln!("no `spin` here: nothing is compared");
            return None;
        }
        let directory = std::env::temp_dir().join(format!("auspex-spin-{}", std::process::id()));
        fs::create_dir_all(&directory).expect("a scratch directory");
        Some(Spin { directory })
    }

    fn run(&self, text: &str) -> Output {
        fs::write(self.directory.join("model.pml"), text).expect("can be written");
        let mut command = Command::new("spin");
        command.args(["-a", "model.pml"]).current_dir(&self.directory);
        command.output().expect("spin runs")
    }

    /// Some of Spin's complaints leave its exit code at 0.
    fn accepts(&self, text: &str) -> (bool, String) {
        let output = self.run(text);
        let said =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        let complains = said.contains("Error:") && !said.contains("dubious use of 'else'");
        (output.status.success() && !complains, said.into_owned())
    }
}

impl Drop for Spin {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

fn we_accept(text: &str) -> (bool, String) {
    match parse(text) {
        (_, Ok(_)) => (true, String::new()),
        (map, Err(errors)) => (false, listed(&map, &errors)),
    }
}

/// Names are resolved behind the parser: what Spin finds wrong with them we find wrong later.
fn is_about_names(said: &str) -> bool {
    ["undeclared variable", "misplaced break", "undefined label"].iter().any(|m| said.contains(m))
}

#[test]
fn spin_agrees() {
    let Some(spin) = Spin::find() else { return };
    let mut differences = String::new();
    for text in AGREED {
        let (ours, errors) = we_accept(text);
        let (theirs, said) = spin.accepts(text);
        if ours != theirs && !(ours && is_about_names(&said)) {
            differences += &format!("\n{text}\n  we: {ours} {errors}\n  Spin: {theirs} {said}");
        }
    }
    for (text, why) in WE_ACCEPT {
        let verdicts = (we_accept(text), spin.accepts(text).0);
        if !matches!(verdicts, ((true, _), false)) {
            differences += &format!("\n{text}\n  {why}: {verdicts:?}");
        }
    }
    for (text, why) in WE_REFUSE {
        let verdicts = (we_accept(text).0, spin.accepts(text));
        if !matches!(verdicts, (false, (true, _))) {
            differences += &format!("\n{text}\n  {why}: {verdicts:?}");
        }
    }
    assert!(differences.is_empty(), "{differences}");
}
