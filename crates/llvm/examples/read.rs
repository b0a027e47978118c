//! Reads `.ll` files and says how long that takes: `cargo run --release --example read -- a.ll`.
//! With `--link` as the first argument it also links them and drops what `main` does not reach.

use auspex_llvm::ir::Module;
use auspex_system::{Diagnostic, SourceMap};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let mut failed = false;
    let mut sources = SourceMap::default();
    let mut modules = Vec::new();
    let mut arguments = std::env::args().skip(1).peekable();
    let link = arguments.next_if(|argument| argument == "--link").is_some();
    for path in arguments {
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{path}: {error}");
                failed = true;
                continue;
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let file = sources.add(&path, &text);
        let start = Instant::now();
        let result = auspex_llvm::read(&sources, file);
        let seconds = start.elapsed().as_secs_f64();
        match result {
            Ok(module) => {
                let megabytes = bytes.len() as f64 / 1e6;
                println!("{path}: {megabytes:.1} MB in {seconds:.3} s; {}", summary(&module));
                modules.extend(link.then_some(module));
            }
            Err(diagnostic) => {
                failed = true;
                println!("{}", show(&sources, &diagnostic));
            }
        }
    }
    if link {
        let start = Instant::now();
        match auspex_llvm::link(&modules) {
            Ok(mut module) => {
                let seconds = start.elapsed().as_secs_f64();
                println!("linked in {seconds:.3} s; {}", summary(&module));
                let roots: Vec<_> = module.global("main").into_iter().collect();
                let start = Instant::now();
                module.keep_reachable(&roots);
                let seconds = start.elapsed().as_secs_f64();
                println!("pruned in {seconds:.3} s; {}", summary(&module));
            }
            Err(diagnostic) => {
                failed = true;
                println!("{}", show(&sources, &diagnostic));
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn summary(module: &Module) -> String {
    let bodies = module.functions().filter_map(|(_, function)| function.body.as_ref());
    let (mut functions, mut instructions, mut records) = (0, 0, 0);
    for body in bodies {
        functions += 1;
        instructions += body.instructions.len();
        records += body.records.len();
    }
    format!(
        "{functions} functions, {instructions} instructions, {records} records, {} constants, \
         {} types, {} locations, {} debug types",
        module.constants.len(),
        module.types.len(),
        module.debug.locations.len(),
        module.debug.types.len()
    )
}

fn show(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let Some(span) = diagnostic.span else { return diagnostic.message.clone() };
    let at = sources.location(span);
    let line = sources.text(span.file).lines().nth(at.line as usize - 1).unwrap_or("");
    format!("{}:{}:{}: {}\n    {line}", at.file, at.line, at.column, diagnostic.message)
}
