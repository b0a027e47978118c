//! Programs: compiled by clang, run by the machine.

use crate::exit::Failure;
use crate::input::{Engine, Input, Labels, Program, Source, Temporal};
use crate::traces;
use auspex_compile::{self as compile, Environment, Optimise};
use auspex_ltl::{Automaton, Formula, Parsed};
use auspex_machine::{self as machine, Atom, Machine, Reduction, Stdin, Watch};
use auspex_report::Reason;
use auspex_system::{Diagnostic, FileId, Location, SourceMap, Span};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

pub const EXTENSIONS: [&str; 4] = ["c", "i", "ll", "bc"];

/// Flags that only programs have.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Programs")]
pub struct ProgramFlags {
    /// The clang to compile with [default: the newest one there is]
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,

    /// How much the compiler may optimise: 0 checks what was written
    #[arg(short = 'O', value_name = "LEVEL", default_value = "0", value_parser = ["0", "1", "2"])]
    pub optimise: String,

    /// Check this too
    #[arg(long, value_enum, value_name = "WHAT")]
    pub check: Vec<Extra>,

    /// Do not report this
    #[arg(long, value_enum, value_name = "WHAT")]
    pub allow: Vec<Allowed>,

    /// Let this fail at will
    #[arg(long, value_enum, value_name = "WHAT")]
    pub faults: Vec<Failing>,

    /// Where threads may be interrupted (full: where it can make a difference)
    #[arg(long, value_enum, default_value = "full", value_name = "HOW")]
    pub reduction: ReductionChoice,

    /// Try all values in this range for every input, such as -2..10
    #[arg(long, value_name = "LO..HI", value_parser = range, allow_hyphen_values = true)]
    pub nondet_range: Option<(i64, i64)>,

    /// Show the instructions of each line of a trace too
    #[arg(long)]
    pub verbose: bool,

    /// What the program reads from its standard input [default: nothing]
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,

    /// Let the program read anything, up to so many bytes
    #[arg(long, value_name = "BYTES", conflicts_with = "stdin")]
    pub any_stdin: Option<u64>,

    /// What `rand` gives
    #[arg(long, value_enum, default_value = "any", value_name = "WHAT")]
    pub rand: Random,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Random {
    /// Any number, like an input
    #[default]
    Any,
    /// Always the same numbers
    Fixed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Extra {
    /// Two threads touch the same memory, one writes, and not both are atomic
    Race,
    /// The program ends with a status other than 0
    Exit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Allowed {
    /// Memory that can no longer be reached
    Leak,
    /// Functions without a body, as long as they are not called
    Undefined,
    /// States where nobody can go on (LF)
    Deadlock,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Failing {
    /// Every allocation
    Malloc,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReductionChoice {
    /// Between any two instructions
    None,
    /// Before every access to memory and every branch
    Tau,
    /// Before every access to memory, and when a loop closes
    #[value(name = "tau+")]
    TauPlus,
    /// Before every access to memory that another thread can reach
    #[default]
    Full,
}

fn range(text: &str) -> Result<(i64, i64), String> {
    let wrong = || "write a range such as -2..10".to_string();
    let (low, high) = text.split_once("..").ok_or_else(wrong)?;
    let high = high.strip_prefix('=').unwrap_or(high);
    let (low, high) =
        (low.trim().parse().map_err(|_| wrong())?, high.trim().parse().map_err(|_| wrong())?);
    if low > high {
        return Err("the range is empty".to_string());
    }
    Ok((low, high))
}

/// A program that is ready to be checked.
pub struct Loaded {
    machine: Machine,
    warnings: Vec<Diagnostic>,
    properties: Vec<Property>,
    optimised: bool,
}

/// A formula about the program.
struct Property {
    name: String,
    formula: String,
    /// Of the runs that violate it.
    automaton: Automaton,
    /// The program in steps that are small enough for the formula.
    machine: Machine,
}

pub fn open(source: &Source) -> Result<Input<Loaded>, Failure> {
    let mut sources = SourceMap::default();
    let flags = &source.program;
    if flags.allow.contains(&Allowed::Deadlock) {
        return Err(Failure::wrong(
            "--allow deadlock is for LF: a program that waits for ever is wrong",
        ));
    }
    let options = compile::Options {
        clang: flags.clang.clone(),
        optimise: match flags.optimise.as_str() {
            "1" => Optimise::One,
            "2" => Optimise::Two,
            _ => Optimise::None,
        },
        flags: compiler_flags(source),
        allow_undefined: flags.allow.contains(&Allowed::Undefined),
        roots: machine::REQUIRED.iter().map(|name| name.to_string()).collect(),
        environment: Environment::default(),
    };
    let loaded = compile::load(&mut sources, &source.files, &options, &machine::is_native);
    let program = match loaded {
        Ok(program) => program,
        Err(diagnostics) => return Err(Failure::Source(diagnostics, sources)),
    };
    let hashes = traces::hashes(&sources);
    let runtime: Vec<bool> = program.module.ids().map(|id| program.is_runtime(id)).collect();
    let warnings = program.warnings;
    let optimised = program.optimised;
    if optimised && flags.check.contains(&Extra::Race) {
        let message = "--check race is about what was written: it does not go with optimised code";
        return Err(Failure::wrong(message.to_string()));
    }
    let decoded = machine::decode(program.module, |id| runtime[id.0 as usize], optimised)
        .map_err(Failure::wrong)?;
    let machine = Machine::new(decoded, machine_options(flags, optimised)?);
    let program = Loaded { machine, warnings, properties: Vec::new(), optimised };
    Ok(Input { source: source.clone(), sources, hashes, program })
}

fn compiler_flags(source: &Source) -> Vec<String> {
    let defines = source.defines.iter().map(|define| format!("-D{define}"));
    let includes = source.include_dirs.iter().map(|dir| format!("-I{}", dir.display()));
    defines.chain(includes).chain(source.compiler.iter().cloned()).collect()
}

fn machine_options(flags: &ProgramFlags, optimised: bool) -> Result<machine::Options, Failure> {
    let stdin = match (&flags.stdin, flags.any_stdin) {
        (Some(path), _) => Stdin::Bytes(std::fs::read(path).map_err(|failure| {
            Failure::wrong(format!("cannot read `{}`: {failure}", path.display()))
        })?),
        (None, Some(at_most)) => Stdin::Any { at_most },
        (None, None) => Stdin::default(),
    };
    Ok(machine::Options {
        reduction: match flags.reduction {
            ReductionChoice::None => Reduction::None,
            ReductionChoice::Tau => Reduction::Tau,
            ReductionChoice::TauPlus => Reduction::TauPlus,
            ReductionChoice::Full => Reduction::Full,
        },
        check_race: flags.check.contains(&Extra::Race),
        check_exit: flags.check.contains(&Extra::Exit),
        allow_leak: flags.allow.contains(&Allowed::Leak),
        malloc_fails: flags.faults.contains(&Failing::Malloc),
        nondet_range: flags.nondet_range,
        stdin,
        fixed_random: flags.rand == Random::Fixed,
        optimised,
        verbose: flags.verbose,
        ..machine::Options::default()
    })
}

impl Program for Loaded {
    type Model = Machine;
    type Fast<'p> = &'p Machine;

    fn model(&self) -> &Machine {
        &self.machine
    }

    fn fast<'p>(
        &'p self,
        model: &'p Machine,
        engine: Option<Engine>,
    ) -> Result<&'p Machine, Failure> {
        match engine {
            Some(Engine::Native) => Err(Failure::wrong(
                "--engine native is for models: programs run on a virtual machine",
            )),
            _ => Ok(model),
        }
    }

    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    fn unchecked(&self) -> Vec<(String, Location)> {
        Vec::new()
    }

    fn caveat(&self) -> Option<Reason> {
        self.machine.options.sampled.load(Relaxed).then_some(Reason::Nondet)
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.machine.options.verbose {
            let instructions = self.machine.options.instructions.load(Relaxed);
            remarks.push(format!("{instructions} instructions were executed"));
        }
        let status = self.machine.options.status.load(Relaxed);
        if status != 0 {
            remarks.push(format!(
                "a run of the program ends with status {status} (--check exit makes that a fault)"
            ));
        }
        remarks
    }

    fn model_of(&self, property: usize) -> &Machine {
        self.properties.get(property).map_or(&self.machine, |property| &property.machine)
    }

    fn caveat_of(&self, property: usize) -> Option<Reason> {
        let unsure = self.model_of(property).is_unsure();
        unsure.then_some(Reason::Unsupported).or_else(|| self.caveat())
    }

    fn knows_letters_of(&self, property: usize) -> bool {
        !self.model_of(property).watch.at_a_loss.load(Relaxed)
    }

    fn temporal(&self) -> Vec<Temporal<'_>> {
        let temporal = |property| {
            let Property { name, formula, automaton, .. }: &Property = property;
            let message = format!("a run violates `{name}`: {formula}");
            let (location, observed) = (Location::unknown(), Some(formula.as_str()));
            Temporal { name, kind: "ltl", message, location, automaton, observed }
        };
        self.properties.iter().map(temporal).collect()
    }

    fn add_ltl(&mut self, sources: &mut SourceMap, text: &str) -> Result<(), Vec<Diagnostic>> {
        let (formula, watch) = self.read_formula(sources, text)?;
        let automaton = auspex_ltl::translate(&Formula::not(formula)).map_err(|e| vec![e])?;
        let name = match self.properties.len() {
            0 => "ltl".to_owned(),
            others => format!("ltl_{}", others + 1),
        };
        let (formula, machine) = (text.trim().to_owned(), self.machine.watched(watch));
        self.properties.push(Property { name, formula, automaton, machine });
        Ok(())
    }

    fn observe(&mut self, sources: &mut SourceMap, text: &str) -> Result<(), Vec<Diagnostic>> {
        let (_, watch) = self.read_formula(sources, text)?;
        self.machine = self.machine.watched(watch);
        Ok(())
    }

    fn add_labels(&mut self, _: Labels) -> Result<(), Failure> {
        Err(Failure::wrong("accept and progress labels are those of models, not of programs"))
    }

    fn watch(&mut self, _: &mut SourceMap, _: &str) -> Result<(), Vec<Diagnostic>> {
        Err(vec![Diagnostic::general("--watch is for models: it is not there for programs yet")])
    }
}

impl Loaded {
    /// The program in a form that knows what it prints.
    pub fn with_output(self) -> (Machine, Vec<Diagnostic>) {
        (self.machine.with_output(), self.warnings)
    }

    /// A formula, and what the machine must know of it.
    fn read_formula(
        &mut self,
        sources: &mut SourceMap,
        text: &str,
    ) -> Result<(Formula, Watch), Vec<Diagnostic>> {
        let file = sources.add("--ltl", text);
        let parsed = auspex_ltl::parse(text, file, 0).map_err(|error| vec![error])?;
        if self.optimised {
            let message = "--ltl is about what was written: it does not go with optimised code";
            let hint = "a compiler that optimises leaves out writes that a formula should see";
            return Err(vec![Diagnostic::general(message).hint(hint)]);
        }
        stays_true_of_larger_steps(&parsed, file, text).map_err(|error| vec![error])?;
        let atom = |atom: &'_ auspex_ltl::Atom| (atom.range.start, atom.text.clone());
        let atoms: Vec<(usize, String)> = parsed.atoms.iter().map(atom).collect();
        let atoms: Vec<Atom<'_>> =
            atoms.iter().map(|(start, text)| Atom { text, start: *start }).collect();
        let watch = Watch::new(&self.machine.program, file, text, &atoms)?;
        self.warnings.extend(parsed.warnings);
        self.warnings.extend(signs_of_two_meanings(text, file, &atoms));
        Ok((parsed.formula, watch))
    }
}

/// The next state is one that many instructions lead to: how many is no matter of the program.
fn stays_true_of_larger_steps(parsed: &Parsed, file: FileId, text: &str) -> Result<(), Diagnostic> {
    let span = Span { file, start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
    match parsed.formula.is_stutter_invariant()? {
        Some(true) => Ok(()),
        _ => Err(Diagnostic::error(span, "`X` has no meaning for programs")
            .label("this depends on how many steps there are")
            .hint(
                "a step of a program is as long as nothing can be noticed; say it with U, W, [] and <>",
            )),
    }
}

/// `a & b` is a conjunction in a formula and something else in C: whoever means bits is told.
fn signs_of_two_meanings(text: &str, file: FileId, atoms: &[Atom<'_>]) -> Vec<Diagnostic> {
    // What is inside of a proposition is as in C.
    let mut outside = text.to_owned();
    let mut inside: Vec<&str> = atoms.iter().map(|atom| atom.text).collect();
    inside.sort_by_key(|atom| std::cmp::Reverse(atom.len()));
    for atom in inside {
        outside = outside.replace(atom, &" ".repeat(atom.len()));
    }
    let bytes = outside.as_bytes();
    let is_single = |at: &usize| {
        let sign = bytes[*at];
        let twice = |other: Option<&u8>| other == Some(&sign);
        matches!(sign, b'&' | b'|' | b'^')
            && !twice(bytes.get(at + 1))
            && !twice(at.checked_sub(1).and_then(|before| bytes.get(before)))
    };
    let warning = |at: usize| {
        let sign = char::from(bytes[at]);
        let span = Span { file, start: at as u32, end: at as u32 + 1 };
        Diagnostic::warning(span, format!("`{sign}` is an operator of the logic here"))
            .label("not one on bits, as in C")
            .hint(format!("for the bits of numbers use braces: {{ x {sign} y }}"))
    };
    (0..bytes.len()).filter(is_single).map(warning).collect()
}
