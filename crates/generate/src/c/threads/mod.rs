//! One program in C with a thread for each process, over the library in `library/threads`.

mod after;
mod body;
mod declare;
mod dstep;
mod dstep_begin;
mod heads;
mod loops;
mod plain;
mod touch;
mod view;
mod wait;

use super::{Dialect, Printer, names, text, types};
use crate::File;
use crate::tree::*;
use auspex_promela::ast::{ChanTest, Language, Primitive};
use auspex_system::{Diagnostic, SourceMap};
use body::Body;
use std::cell::Cell;
use std::path::PathBuf;
use text::Writer;

/// How expressions are written where all processes share one program.
#[derive(Default)]
pub struct Threads {
    /// Inside of a `d_step`: what was true when it began stays so.
    in_d_step: Cell<bool>,
    /// Some processes go before others.
    priorities: bool,
}

impl Dialect for Threads {
    fn special(&self, printer: &Printer<'_>, expr: &Expr) -> String {
        match expr {
            Expr::Len(chan) => format!("ax_len({})", printer.place(chan)),
            Expr::Test(test, chan) => {
                let chan = printer.place(chan);
                match test {
                    ChanTest::Full => format!("ax_full({chan})"),
                    ChanTest::NotFull => format!("!ax_full({chan})"),
                    ChanTest::Empty => format!("ax_empty({chan})"),
                    ChanTest::NotEmpty => format!("!ax_empty({chan})"),
                }
            }
            Expr::Poll { chan, args, random } => {
                let how = if *random { "AX_RANDOM" } else { "0" };
                format!("ax_poll({}, {how}, {})", printer.place(chan), fields(printer, args))
            }
            Expr::Run { process, args, priority } => run(printer, "ax", *process, *priority, args),
            Expr::Priority(pid) => format!("ax_priority({})", printer.expr(pid)),
            Expr::Timeout if self.in_d_step.get() => "ax_timed_out(ax)".to_string(),
            Expr::Timeout => "ax_timeout()".to_string(),
            Expr::Pid => "ax->pid".to_string(),
            Expr::Processes => "ax_nr_pr()".to_string(),
            other => printer.expr(other),
        }
    }

    fn mask(&self, ty: Type) -> Option<u32> {
        match ty {
            Type::Bit | Type::Bool => Some(1),
            Type::Pid | Type::Chan => Some(255),
            Type::Unsigned(width @ ..32) => Some((1 << width) - 1),
            _ => None,
        }
    }
}

/// The patterns of a receive, for the library.
fn fields(printer: &Printer<'_>, args: &[Arg]) -> String {
    let field = |arg: &Arg| match arg {
        Arg::Store(_) | Arg::Ignore => "AX_ANY".to_string(),
        Arg::Match(expr) => format!("AX_IS({})", printer.expr(expr)),
    };
    format!("ax_fields({})", args.iter().map(field).collect::<Vec<_>>().join(", "))
}

/// Values, for the library.
fn values(printer: &Printer<'_>, args: &[Expr]) -> String {
    if args.is_empty() {
        return "0, NULL".to_string();
    }
    let args: Vec<String> = args.iter().map(|arg| printer.expr(arg)).collect();
    format!("ax_values({})", args.join(", "))
}

/// Starts a process. One of the environment is not there.
fn run(printer: &Printer<'_>, by: &str, process: usize, priority: u8, args: &[Expr]) -> String {
    let process = &printer.spec.processes[process];
    if process.is_env {
        return "0".to_string();
    }
    let (name, function) = (text::quoted(&process.name), names::safe(&process.name));
    format!("ax_run({by}, {name}, {priority}, {function}, {})", values(printer, args))
}

/// All files of the program.
pub fn generate(spec: &Spec, map: &SourceMap) -> Result<Vec<File>, Vec<Diagnostic>> {
    let program = program(spec, map)?;
    let name = &program_name(&spec.name);
    let file = |path: String, contents: String| File { path: PathBuf::from(path), contents };
    let mut files =
        vec![file(format!("{name}.c"), program), file("Makefile".to_string(), makefile(name))];
    let library =
        FILES.iter().map(|(name, text)| file(format!("{LIBRARY}/{name}"), (*text).into()));
    files.extend(library);
    Ok(files)
}

/// What the program is called: a name that means nothing else to make, the shell and compilers.
pub fn program_name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mut name: String = name.chars().map(|c| if plain(c) { c } else { '_' }).collect();
    if name.is_empty() || name.starts_with('-') {
        name.insert(0, '_');
    }
    if ["Makefile", "makefile", "GNUmakefile", "clean", LIBRARY].contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// Where the files of the library go.
pub const LIBRARY: &str = "library";

macro_rules! files {
    ($($name:literal),*) => {
        &[$(($name, include_str!(concat!("../../../library/threads/", $name)))),*]
    };
}

/// The files of the library, with their names.
pub const FILES: &[(&str, &str)] = files![
    "auspex_threads.h",
    "inside.h",
    "channels.c",
    "faults.c",
    "looks.c",
    "processes.c",
    "turns.c"
];

/// Those that are compiled, in their directory.
pub fn sources() -> impl Iterator<Item = String> {
    let sources = FILES.iter().filter(|(name, _)| name.ends_with(".c"));
    sources.map(|(name, _)| format!("{LIBRARY}/{name}"))
}

fn makefile(name: &str) -> String {
    let sources: Vec<String> = sources().collect();
    let headers = FILES.iter().filter(|(name, _)| name.ends_with(".h"));
    let headers: Vec<String> = headers.map(|(name, _)| format!("{LIBRARY}/{name}")).collect();
    let (sources, headers) = (sources.join(" "), headers.join(" "));
    format!(
        "CFLAGS = -std=c11 -Wall -Wextra -O2 -g\n\
         ALL_CFLAGS = $(CFLAGS) -pthread -fwrapv -I{LIBRARY}\n\
         \n\
         SOURCES = {name}.c {sources}\n\
         \n\
         {name}: $(SOURCES) {headers}\n\
         \t$(CC) $(ALL_CFLAGS) -o $@ $(SOURCES) $(LDLIBS)\n\
         \n\
         .PHONY: clean\n\
         clean:\n\
         \trm -f {name}\n"
    )
}

fn program(spec: &Spec, map: &SourceMap) -> Result<String, Vec<Diagnostic>> {
    let dialect = Threads { priorities: touch::has_priorities(spec), ..Threads::default() };
    let printer = Printer { spec, map, dialect: &dialect };
    let (mut functions, mut errors) = (Writer::new(0), Vec::new());
    for process in spec.processes.iter().filter(|process| !process.is_env) {
        let body = Body::new(printer, &dialect, process);
        if let Err(mut more) = body.function(&mut functions) {
            errors.append(&mut more);
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut out = Writer::new(0);
    out.line(format!("/* {}: a thread for each process, made by auspex generate. */", spec.name));
    out.line("#include \"auspex_threads.h\"");
    out.line("");
    out.line("/* What the model says is said here too, also where a compiler knows the result. */");
    for warning in
        ["type-limits", "overflow", "tautological-compare", "sign-compare", "bool-operation"]
    {
        out.line(format!("#pragma GCC diagnostic ignored \"-W{warning}\""));
    }
    out.line("#ifdef __clang__");
    out.line("#pragma clang diagnostic ignored \"-Winteger-overflow\"");
    out.line("#pragma clang diagnostic ignored \"-Wself-assign\"");
    out.line("#pragma clang diagnostic ignored \"-Wconstant-logical-operand\"");
    out.line("#else");
    out.line("#pragma GCC diagnostic ignored \"-Wbool-compare\"");
    out.line("#endif");
    out.line("");
    let most_fields = most_fields(spec);
    out.line(format!("const int ax_most_fields = {most_fields};"));
    out.line("");
    types::sets(spec, &mut out);
    types::records(spec, &mut out);
    declare::globals(&printer, &mut out);
    prototypes(spec, &mut out);
    let mut text = out.finish();
    text.push_str(&functions.finish());
    let mut out = Writer::new(0);
    declare::initialise_globals(&printer, &mut out);
    start(&printer, &mut out);
    text.push_str(&out.finish());
    Ok(text)
}

/// Of all the messages there are.
fn most_fields(spec: &Spec) -> usize {
    declare::channel_types(spec).map(|channel| channel.fields.len()).max().unwrap_or(0).max(1)
}

fn prototypes(spec: &Spec, out: &mut Writer) {
    for process in spec.processes.iter().filter(|process| !process.is_env) {
        out.line(format!("void {}(ax_process *ax);", names::safe(&process.name)));
    }
    out.line("");
}

fn start(printer: &Printer<'_>, out: &mut Writer) {
    out.line("/* The processes that are there from the start. */");
    out.line("void ax_processes(void)");
    out.open("{");
    for (index, process) in printer.spec.processes.iter().enumerate() {
        let zeros = vec![Expr::Number(0); printer.spec.parameter_places(index).len()];
        for _ in 0..if process.is_env { 0 } else { process.active } {
            out.line(format!("{};", run(printer, "NULL", index, process.priority, &zeros)));
        }
    }
    out.close("}");
}

/// Is this text for C?
fn is_c(code: &auspex_promela::ast::Code) -> bool {
    code.language == Language::C && code.primitive != Primitive::Track
}
