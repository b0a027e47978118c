//! Programs compiled and run natively: the judge.

use auspex_modelgen::command::{self, Failure, Finished};
use std::fmt::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(30);

/// What a program handed out, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    pub numbers: Vec<u64>,
    pub strings: Vec<Vec<u8>>,
}

/// How a program is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// The level of `-O`.
    pub optimise: u8,
    /// End with a signal where something is done that C leaves undefined.
    pub sanitise: bool,
}

/// Flags that the native compiler and that of Auspex must share.
pub fn shared_flags(optimise: u8) -> &'static [&'static str] {
    // An optimiser may fold `a * b + c` as one operation, at its own discretion.
    if optimise == 0 { &["-w"] } else { &["-w", "-ffp-contract=off"] }
}

/// The newest clang there is.
pub fn clang() -> Result<String, String> {
    let names = (15..=22).rev().map(|version| format!("clang-{version}"));
    let works = |name: &String| {
        let output = Command::new(name).arg("--version").output();
        output.is_ok_and(|output| output.status.success())
    };
    names.chain(["clang".to_string()]).find(works).ok_or_else(|| "there is no clang".to_string())
}

/// Runs the program natively, in `dir`, and gives its values.
pub fn run(clang: &str, dir: &Path, text: &str, how: Compiler) -> Result<Values, String> {
    let file = dir.join("native.c");
    std::fs::write(&file, text).map_err(|why| why.to_string())?;
    let mut compiler = Command::new(clang);
    compiler.args(shared_flags(how.optimise)).arg(format!("-O{}", how.optimise));
    if how.sanitise {
        compiler.args(["-fsanitize=undefined,float-cast-overflow", "-fsanitize-trap=all"]);
    }
    compiler.args(["-o", "native", "native.c", "-lm"]);
    let compiled = finished(&mut compiler, dir)?;
    if !compiled.status.success() {
        return Err(format!("it does not compile:\n{}", compiled.output()));
    }
    let done = finished(&mut Command::new(dir.join("native")), dir)?;
    if let Some(signal) = done.status.signal() {
        let why = if how.sanitise { " (undefined behaviour?)" } else { "" };
        return Err(format!("native execution ended with signal {signal}{why}"));
    }
    read(&done.stdout)
}

fn finished(command: &mut Command, dir: &Path) -> Result<Finished, String> {
    command::run(command, dir, LIMIT).map_err(|failure| match failure {
        Failure::Io(why) => format!("{:?}: {why}", command.get_program()),
        Failure::Timeout => format!("{:?} does not come to an end", command.get_program()),
    })
}

fn read(output: &str) -> Result<Values, String> {
    let mut values = Values::default();
    for line in output.lines() {
        if line == "end" {
            return Ok(values);
        }
        // Lines that the program prints for its own pleasure begin with something else.
        if let Some(number) = line.strip_prefix('v') {
            values.numbers.push(u64::from_str_radix(number, 16).map_err(|why| why.to_string())?);
        } else if let Some(string) = line.strip_prefix('s') {
            values.strings.push(bytes(string).ok_or("a string is cut off")?);
        }
    }
    Err("the output of native execution has no end".to_string())
}

fn bytes(hexadecimal: &str) -> Option<Vec<u8>> {
    let pair = |at| u8::from_str_radix(hexadecimal.get(at..at + 2)?, 16).ok();
    (0..hexadecimal.len()).step_by(2).map(pair).collect()
}

impl Values {
    /// The tables that a program with `AUSPEX_EXPECTED` compares its values with.
    pub fn header(&self) -> String {
        let mut text = "static const unsigned long long out_values[] = {\n".to_string();
        for number in &self.numbers {
            let _ = writeln!(text, "\t{number:#x},");
        }
        text.push_str("\t0 };\nstatic const char *const out_strings[] = {\n");
        for string in &self.strings {
            let _ = writeln!(text, "\t\"{}\",", escaped(string));
        }
        text.push_str("\t\"\" };\n");
        text
    }
}

fn escaped(string: &[u8]) -> String {
    let escape = |byte: &u8| match byte {
        b'"' | b'\\' | b'?' => format!("\\{}", *byte as char),
        b' '..=b'~' => char::from(*byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    string.iter().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_and_written() {
        let values = read("v1f\n12, 13\ns610a22\nend\n").unwrap();
        assert_eq!(values, Values { numbers: vec![31], strings: vec![b"a\n\"".to_vec()] });
        assert!(values.header().contains("\t0x1f,\n"));
        assert!(values.header().contains("\t\"a\\012\\\"\",\n"));
        assert!(read("v1\n").is_err());
    }
}
