//! Specifications to programs in Rust: safe, and with nothing but the standard library.

mod declare;
mod effect;
mod emit;
mod expr;
mod fit;
mod graph;
mod machine;
mod names;
mod prepare;
mod programs;
mod structure;
mod text;

use crate::File;
use crate::tree::*;
use auspex_system::{Diagnostic, SourceMap};
use emit::{Emitter, Flavour};
use machine::Machine;
use names::name;
use std::path::PathBuf;
use text::{Text, literal};

pub use programs::programs;

/// The runtime, file by file.
pub const RUNTIME: &[(&str, &str)] = &[
    ("runtime/mod.rs", include_str!("../../library/rust/runtime/mod.rs")),
    ("runtime/channel.rs", include_str!("../../library/rust/runtime/channel.rs")),
    ("runtime/look.rs", include_str!("../../library/rust/runtime/look.rs")),
    ("runtime/process.rs", include_str!("../../library/rust/runtime/process.rs")),
    ("runtime/values.rs", include_str!("../../library/rust/runtime/values.rs")),
    ("runtime/world.rs", include_str!("../../library/rust/runtime/world.rs")),
    ("library/mod.rs", include_str!("../../library/rust/library/mod.rs")),
];

/// One program with a thread for each process.
pub fn threads(spec: &Spec, map: &SourceMap) -> Vec<File> {
    let spec = prepare::prepare(spec).0;
    let mut files =
        vec![file("Cargo.toml", manifest(&spec.name)), file("src/main.rs", main_file(&spec, map))];
    for (name, contents) in RUNTIME {
        files.push(file(&format!("src/{name}"), contents.to_string()));
    }
    files
}

/// C code that has no twin in Rust: it is left out.
pub fn left_out(spec: &Spec) -> Vec<Diagnostic> {
    prepare::prepare(spec).1
}

fn file(path: &str, contents: String) -> File {
    File { path: PathBuf::from(path), contents }
}

/// The description of a cargo project.
fn manifest(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let mut package: String = name.chars().map(plain).collect();
    if !package.starts_with(|c: char| c.is_ascii_alphabetic()) {
        package = format!("model_{package}");
    }
    // The empty workspace keeps it out of any other that it may lie in.
    format!(
        "[package]\nname = \"{package}\"\nversion = \"0.1.0\"\nedition = \"2024\"\nrust-version = \"1.85\"\npublish = false\n\n\
         [workspace]\n"
    )
}

const ALLOWED: &[&str] = &[
    "// Names are those of the specification, which may declare more than it uses.",
    "#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals)]",
    "#![allow(dead_code, unused_assignments, unused_mut, unused_variables, unused_imports)]",
    "#![allow(unused_labels)]",
    "// Conditions and loops are written as the specification has them.",
    "#![allow(clippy::assign_op_pattern, clippy::collapsible_else_if, clippy::eq_op)]",
    "#![allow(clippy::erasing_op, clippy::identity_op, clippy::int_plus_one)]",
    "#![allow(clippy::manual_range_contains, clippy::needless_bool, clippy::never_loop)]",
    "#![allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]",
    "#![allow(clippy::self_assignment, clippy::single_match, clippy::too_many_arguments)]",
    "#![allow(clippy::while_let_loop)]",
];

fn main_file(spec: &Spec, map: &SourceMap) -> String {
    let file_name = file_name(spec, map);
    let mut text = Text::default();
    text.line(format!("//! Made by Auspex from {file_name}: a thread for each process."));
    text.line("#![forbid(unsafe_code)]");
    ALLOWED.iter().for_each(|line| text.line(line));
    text.line("");
    text.line("mod library;");
    text.line("mod runtime;");
    text.line("");
    text.line("use crate::library::*;");
    text.line("use crate::runtime::*;");
    text.line("");
    text.line("type Process = runtime::Process<Globals>;");
    text.line("");
    declare::declarations(spec, &mut text);
    text.line("");
    text.line("fn main() {");
    text.paste(&start(spec, map, file_name));
    text.line("}");
    for (number, process) in spec.processes.iter().enumerate() {
        if !process.is_env {
            text.line("");
            text.paste(&function(spec, map, number));
        }
    }
    text.finish()
}

/// Gives the globals their values and starts what is there from the beginning.
fn start(spec: &Spec, map: &SourceMap, file_name: &str) -> String {
    let Some(any) = spec.processes.first() else { return String::new() };
    let mut emitter = Emitter::new(Flavour::Threads, spec, map, any);
    emitter.line(format!("start({}, Globals::new(), |g| {{", literal(file_name)));
    declare::initialise_globals(&mut emitter);
    for (number, process) in spec.processes.iter().enumerate() {
        if process.is_env || process.active == 0 {
            continue;
        }
        let (title, function) = (literal(&process.name), name(&process.name));
        let zeroes: String = declare::parameters(spec, number).iter().map(|_| ", 0").collect();
        let run = match zeroes.is_empty() {
            true => format!("g.run({title}, {function});"),
            false => format!("g.run({title}, |g| {function}(g{zeroes}));"),
        };
        match process.active {
            1 => emitter.line(run),
            count => {
                emitter.line(format!("for _ in 0..{count} {{"));
                emitter.line(run);
                emitter.line("}");
            }
        }
    }
    emitter.line("})");
    emitter.text.finish()
}

/// A process.
fn function(spec: &Spec, map: &SourceMap, number: usize) -> String {
    let process = &spec.processes[number];
    let mut emitter = Emitter::new(Flavour::Threads, spec, map, process);
    let params: String =
        declare::parameters(spec, number).iter().map(|p| format!(", {p}: i32")).collect();
    let line = map.location(process.span).line;
    emitter.line(format!("/// Line {line}: `{}`.", process.name));
    emitter.line(format!("fn {}(g: &mut Process{params}) {{", name(&process.name)));
    declare::locals(&mut emitter, number);
    emitter.line("g.begin();");
    body(process, &mut emitter);
    emitter.line("}");
    emitter.text.finish()
}

/// The statements of a process.
fn body<'s>(process: &'s Process, emitter: &mut Emitter<'s>) {
    let begin = emitter.text.mark();
    if structure::print(process, emitter).is_err() {
        emitter.text.back_to(begin);
        emitter.mode = Some(graph::Mode::Free);
        Machine::new(process, emitter).print(emitter);
    }
}

/// The file that a program was made from.
fn file_name<'m>(spec: &Spec, map: &'m SourceMap) -> &'m str {
    map.name(emit::main_file(spec)).rsplit('/').next().unwrap_or_default()
}
