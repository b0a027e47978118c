//! Loads programs as `auspex check` does, and says how long it takes.
//! `cargo run --release -p auspex-compile --example load -- FILE... [-- FLAGS]`

use auspex_compile::{Options, load};
use auspex_system::SourceMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let files: Vec<PathBuf> =
        arguments.by_ref().take_while(|a| a != "--").map(PathBuf::from).collect();
    let options = Options {
        flags: arguments.collect(),
        roots: vec!["exit".to_owned()],
        ..Options::default()
    };
    let start = Instant::now();
    let mut sources = SourceMap::default();
    let loaded = load(&mut sources, &files, &options, &|name| name.starts_with("__auspex_"));
    let seconds = start.elapsed().as_secs_f64();
    let show = |diagnostics: &[_]| {
        for diagnostic in diagnostics {
            eprintln!("{}", auspex_report::render_diagnostic(diagnostic, &sources));
        }
    };
    match loaded {
        Ok(program) => {
            show(&program.warnings);
            let runtime = program.module.ids().filter(|id| program.is_runtime(*id)).count();
            let globals = program.module.globals.len();
            println!("{seconds:.3} s, {globals} globals, {runtime} of them of the runtime");
            ExitCode::SUCCESS
        }
        Err(problems) => {
            show(&problems);
            println!("{seconds:.3} s, {} problems", problems.len());
            ExitCode::from(2)
        }
    }
}
