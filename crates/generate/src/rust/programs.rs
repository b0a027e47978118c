//! A program for each process, and `init`, which starts those that are active.

use super::declare;
use super::emit::{Emitter, Flavour};
use super::prepare::prepare;
use super::text::{Text, literal};
use super::{ALLOWED, body, file, file_name, manifest};
use crate::alone::alone;
use crate::c::programs::check::check;
use crate::language::in_language;
use crate::tree::*;
use crate::{File, Language};
use auspex_system::{Diagnostic, SourceMap};

const RUNTIME: &[(&str, &str)] = &[
    ("src/runtime/mod.rs", include_str!("../../library/rust/alone/mod.rs")),
    ("src/runtime/values.rs", include_str!("../../library/rust/runtime/values.rs")),
    ("src/library/mod.rs", include_str!("../../library/rust/library/mod.rs")),
];

/// All files of a specification's programs, or what is in the way.
pub fn programs(spec: &Spec, map: &SourceMap) -> Result<Vec<File>, Vec<Diagnostic>> {
    let spec = &alone(spec);
    let errors = check(&in_language(spec, Language::Rust), Language::Rust);
    if !errors.is_empty() {
        return Err(errors);
    }
    let spec = &prepare(spec).0;
    let mut text = Text::default();
    text.line("// What all programs have: each its own copy.");
    text.line("");
    declare::declarations(spec, &mut text);
    let manifest = manifest(&spec.name)
        .replace("publish = false\n", "publish = false\ndefault-run = \"init\"\n");
    let mut files = vec![file("Cargo.toml", manifest), file("src/common.rs", text.finish())];
    for (number, process) in spec.processes.iter().enumerate() {
        if !process.is_init && !process.is_env {
            let path = format!("src/bin/{}.rs", process.name);
            files.push(file(&path, program(spec, map, Some(number))));
        }
    }
    let init = spec.processes.iter().position(|process| process.is_init && !process.is_env);
    files.push(file("src/bin/init.rs", program(spec, map, init)));
    files.extend(RUNTIME.iter().map(|(path, text)| file(path, text.to_string())));
    Ok(files)
}

/// The program of a process. Without a process: an `init` that only starts the others.
fn program(spec: &Spec, map: &SourceMap, number: Option<usize>) -> String {
    let nobody = Process {
        name: "init".into(),
        is_init: true,
        is_env: false,
        active: 0,
        priority: 1,
        provided: None,
        params: Vec::new(),
        locals: Vec::new(),
        body: Block::new(),
        span: spec.processes.first().map_or_else(no_span, |process| process.span),
        end: spec.processes.first().map_or_else(no_span, |process| process.end),
    };
    let process = number.map_or(&nobody, |number| &spec.processes[number]);
    let source = file_name(spec, map);
    let mut emitter = Emitter::new(Flavour::Programs, spec, map, process);
    emitter.line(format!("//! Process {} of {source}, made by Auspex.", process.name));
    emitter.line("#![forbid(unsafe_code)]");
    ALLOWED.iter().for_each(|line| emitter.line(line));
    emitter.line("");
    emitter.line("#[path = \"../library/mod.rs\"]");
    emitter.line("mod library;");
    emitter.line("#[path = \"../runtime/mod.rs\"]");
    emitter.line("mod runtime;");
    emitter.line("");
    emitter.line("use library::*;");
    emitter.line("use runtime::*;");
    emitter.line("");
    emitter.line("include!(\"../common.rs\");");
    emitter.line("");
    emitter.line("fn main() {");
    let parameters = number.map_or_else(Vec::new, |number| declare::parameters(spec, number));
    let parameters: Vec<String> = parameters.iter().map(|name| literal(name)).collect();
    let (source, name) = (literal(source), literal(&process.name));
    emitter.line(format!(
        "let g = &mut Process::new({source}, {name}, Globals::new(), &[{}]);",
        parameters.join(", ")
    ));
    declare::initialise_globals(&mut emitter);
    if let Some(number) = number {
        declare::locals(&mut emitter, number);
    }
    if process.is_init {
        start_active(&mut emitter);
    }
    body(process, &mut emitter);
    emitter.line("}");
    emitter.text.finish()
}

fn no_span() -> auspex_system::Span {
    auspex_system::Span { file: auspex_system::FileId(0), start: 0, end: 0 }
}

fn start_active(emitter: &mut Emitter<'_>) {
    let spec = emitter.spec;
    for (number, process) in spec.processes.iter().enumerate() {
        if process.active == 0 || process.is_init || process.is_env {
            continue;
        }
        let zeroes = vec!["0"; spec.parameter_places(number).len()].join(", ");
        let run = format!("g.run({}, &[{zeroes}]);", literal(&process.name));
        match process.active {
            1 => emitter.line(run),
            count => {
                emitter.line(format!("for _ in 0..{count} {{"));
                emitter.line(run);
                emitter.line("}");
            }
        }
    }
}
