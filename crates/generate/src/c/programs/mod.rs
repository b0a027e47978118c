//! A program for each process, and `init`, which starts those that are active.

mod body;
pub mod check;
mod choice;
mod escape;
mod guard;
mod header;
mod makefile;
mod process;

use super::{Dialect, Printer, library, names};
use crate::alone::alone;
use crate::language::in_language;
use crate::tree::*;
use crate::{File, Language};
use auspex_system::{Diagnostic, SourceMap};

/// Where the files of the library go.
const LIBRARY: &str = "library";

/// All files of a specification's programs, or what is in the way.
pub fn generate(spec: &Spec, map: &SourceMap) -> Result<Vec<File>, Vec<Diagnostic>> {
    let spec = &alone(&in_language(spec, Language::C));
    let errors = check::check(spec, Language::C);
    if !errors.is_empty() {
        return Err(errors);
    }
    let printer = Printer { spec, map, dialect: &Programs };
    let mut files = Vec::new();
    let mut programs = vec!["init".to_string()];
    for (number, process) in spec.processes.iter().enumerate() {
        if !process.is_init && !process.is_env {
            let text = process::program(&printer, Some(number));
            files.push(file(&format!("{}.c", process.name), text));
            programs.push(process.name.clone());
        }
    }
    let init = spec.processes.iter().position(|process| process.is_init && !process.is_env);
    files.push(file("init.c", process::program(&printer, init)));
    let complements = files.iter().any(|file: &File| file.contents.contains('~'));
    files.insert(0, file("init.h", header::header(&printer, complements)));
    files.push(file("Makefile", makefile::makefile(&spec.name, &programs)));
    files.extend(library::FILES.iter().map(|(name, text)| File {
        path: [LIBRARY, name].iter().collect(),
        contents: text.to_string(),
    }));
    Ok(files)
}

fn file(name: &str, contents: String) -> File {
    File { path: name.into(), contents }
}

/// Processes are programs: they have nothing in common but what they exchange.
struct Programs;

impl Dialect for Programs {
    fn variable(&self, spec: &Spec, id: VarId) -> String {
        names::variable(spec, id)
    }

    fn special(&self, printer: &Printer<'_>, expr: &Expr) -> String {
        match expr {
            Expr::Run { process, args, .. } => {
                let places = printer.spec.parameter_places(*process);
                let values: Vec<String> = args
                    .iter()
                    .zip(&places)
                    .map(|(arg, place)| format!(", {}", printer.cut(place.ty, arg)))
                    .collect();
                let format = vec!["d"; values.len()].join(", ");
                let name = &printer.spec.processes[*process].name;
                format!("run(\"./{name}\", \"{format}\"{})", values.concat())
            }
            Expr::Pid => "(int)getpid()".to_string(),
            // The others were taken out.
            _ => "0".to_string(),
        }
    }
}
