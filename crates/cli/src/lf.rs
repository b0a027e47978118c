//! LF: compiled and run by its own kernel.

use crate::exit::Failure;
use crate::input::{Engine, Input, Labels, Program, Source, Temporal};
use crate::program::Allowed;
use crate::traces;
use auspex_lf::{self as lf, Model};
use auspex_ltl::{Automaton, Formula};
use auspex_report::Reason;
use auspex_system::{Diagnostic, Location, SourceMap};
use clap::Args;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

pub const SOURCE: &str = "lf";
/// A compiled program.
pub const OBJECT: &str = "lfo";

/// Flags that only LF has.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "LF")]
pub struct LfFlags {
    /// End an action after every statement, not only where processes meet
    #[arg(long)]
    pub fine: bool,

    /// Keep processes that wait in the order of their arrival
    #[arg(long)]
    pub unsorted: bool,

    /// Tell apart states by what was printed, and list everything that can be printed
    #[arg(long)]
    pub record: bool,

    /// Check what the properties depend on first: if that holds, so do the assertions of the program
    #[arg(long)]
    pub slice: bool,
}

/// A program that is ready to be checked.
pub struct Loaded {
    /// Not there for a compiled program.
    source: Option<lf::Source>,
    model: Model,
    /// The program with each of its properties.
    watched: Vec<Model>,
    properties: Vec<Property>,
    warnings: Vec<Diagnostic>,
    remarks: Vec<String>,
}

struct Property {
    name: String,
    message: String,
    kind: &'static str,
    location: Location,
    automaton: Automaton,
    /// For a PROPERTY: its steps are those of the program and the property together.
    observed: Option<String>,
}

/// Of what a program can print, so many texts are listed.
const MOST_OUTPUTS: usize = 100;

/// What stands in a trace for the property that watched.
const WATCHED: &str = "PROPERTY ";

/// Only LF programs can be built and run.
pub fn must_be_lf(file: &Path) -> Result<(), Failure> {
    let extension = file.extension().and_then(|e| e.to_str()).unwrap_or("");
    if extension == SOURCE || extension == OBJECT {
        return Ok(());
    }
    Err(Failure::wrong(format!("`{}` is no LF program (.lf, .lfo)", file.display())))
}

/// Reads a program, compiled or not.
pub fn read(
    source: &Source,
    sources: &mut SourceMap,
) -> Result<(Option<lf::Source>, lf::Object), Failure> {
    let file = source.file();
    if file.extension().is_some_and(|e| e == OBJECT) {
        if source.files.len() > 1 || source.lf.fine {
            return Err(Failure::wrong(
                "a compiled program stands alone: what it is was decided by `auspex build`",
            ));
        }
        return Ok((None, read_object(file, sources)?));
    }
    let options = lf::Options { include_dirs: source.include_dirs.clone() };
    let loaded = lf::load(sources, &source.files, &options);
    let program = loaded.map_err(|errors| Failure::Source(errors, sources.clone()))?;
    let emit = lf::EmitOptions { fine: source.lf.fine };
    let object = program.compile(sources, &emit);
    Ok((Some(program), object))
}

fn read_object(file: &Path, sources: &mut SourceMap) -> Result<lf::Object, Failure> {
    let shown = file.display();
    let bytes = std::fs::read(file)
        .map_err(|failure| Failure::wrong(format!("cannot read `{shown}`: {failure}")))?;
    let object = lf::read_object(&bytes).map_err(|reason| {
        Failure::wrong(format!("`{shown}` is no compiled LF program: {reason}"))
    })?;
    // A trace belongs to these bytes.
    sources.add(&file.to_string_lossy(), &traces::digest(&bytes));
    Ok(object)
}

pub fn open(source: &Source) -> Result<Input<Loaded>, Failure> {
    let mut sources = SourceMap::default();
    let (program, object) = read(source, &mut sources)?;
    let hashes = traces::hashes(&sources);
    let allow_deadlock = source.program.allow.contains(&Allowed::Deadlock);
    let program = Loaded::new(source, program, object, allow_deadlock)?;
    Ok(Input { source: source.clone(), sources, hashes, program })
}

/// What is kept of a program for a purpose; its formulas are to be added again.
pub fn slice(whole: &mut Input<Loaded>, part: &Part<'_>) -> Result<Input<Loaded>, Failure> {
    let failed = |errors, sources: &SourceMap| Failure::Source(errors, sources.clone());
    let fine = whole.source.lf.fine;
    let program = whole.program.source().map_err(|errors| failed(errors, &whole.sources))?;
    let goal = part.goal(program, &mut whole.sources)?;
    let slice = lf::slice::slice(program, &whole.sources, &goal, fine)
        .map_err(|errors| failed(errors, &whole.sources))?;
    let emit = lf::EmitOptions { fine };
    let object = slice.source.compile(&whole.sources, &emit);
    let left = slice.total - slice.removed;
    let mut program = Loaded::new(&whole.source, Some(slice.source), object, true)?;
    program.remarks = vec![format!("the slice has {left} of {} statements", slice.total)];
    if let Part::Assertions { .. } = part {
        let about = "`safety` is about assertions: deadlocks and faults of what is gone were not looked for";
        program.remark(about.to_owned());
    }
    let Input { source, sources, hashes, .. } = whole;
    Ok(Input { source: source.clone(), sources: sources.clone(), hashes: hashes.clone(), program })
}

/// What a slice is for.
pub enum Part<'a> {
    Assertions { lines: &'a [u32] },
    Runs { properties: Vec<String>, formulas: &'a [String] },
}

impl Part<'_> {
    fn goal(
        &self,
        source: &mut lf::Source,
        sources: &mut SourceMap,
    ) -> Result<lf::slice::Goal, Failure> {
        match self {
            Part::Assertions { lines } => {
                let lines = (!lines.is_empty()).then(|| lines.to_vec());
                Ok(lf::slice::Goal::Assertions { lines })
            }
            Part::Runs { properties, formulas } => {
                let mut read = Vec::new();
                for text in *formulas {
                    let file = sources.add("--ltl", text);
                    let formula = lf::slice::Formula::read(source, sources, file, text);
                    read.push(formula.map_err(|errors| Failure::Source(errors, sources.clone()))?);
                }
                Ok(lf::slice::Goal::Runs { properties: properties.clone(), formulas: read })
            }
        }
    }
}

impl Loaded {
    fn new(
        source: &Source,
        program: Option<lf::Source>,
        object: lf::Object,
        allow_deadlock: bool,
    ) -> Result<Self, Failure> {
        let options = lf::ModelOptions {
            unsorted: source.lf.unsorted,
            allow_deadlock,
            input_range: source.program.nondet_range,
            record: source.lf.record,
        };
        let model = Model::new(Arc::new(object), options);
        let warnings = program.as_ref().map_or_else(Vec::new, |program| program.warnings.clone());
        let mut loaded = Loaded {
            source: program,
            model,
            watched: Vec::new(),
            properties: Vec::new(),
            warnings,
            remarks: Vec::new(),
        };
        loaded.add_properties()?;
        loaded.remarks.extend(loaded.missing(source.file()));
        Ok(loaded)
    }

    pub fn remark(&mut self, remark: String) {
        self.remarks.push(remark);
    }

    /// The text of the module that was asked for.
    pub fn text(&self) -> Option<String> {
        let main = self.source.as_ref()?.main()?;
        Some(lf::print::module(main, &|_| true, &|_| true))
    }

    /// What closes it.
    pub fn environment(&self) -> Option<lf::Environment> {
        lf::close(self.source.as_ref()?)
    }

    /// An open program waits for what never comes: whoever sees it stop there should know why.
    fn missing(&self, file: &Path) -> Option<String> {
        let missing = self.environment()?.missing;
        let (all, file) = (missing.join(", "), file.display());
        (!missing.is_empty()).then(|| {
            format!(
                "nobody is at the other end of {all}: `auspex close {file}` writes an environment"
            )
        })
    }

    /// The names of its PROPERTYs.
    pub fn property_names(&self) -> Vec<String> {
        let own = self.properties.iter().take(self.watched.len());
        own.map(|property| property.name.clone()).collect()
    }

    /// The PROPERTYs of the program: a run violates one if it accepts again and again.
    fn add_properties(&mut self) -> Result<(), Failure> {
        let object = self.model.object.clone();
        for (index, process) in object.properties.iter().enumerate() {
            let again = Formula::globally(Formula::finally(Formula::atom(0)));
            let automaton = auspex_ltl::translate(&again)
                .map_err(|error| Failure::Internal(error.message.clone()))?;
            let name = object.processes.get(*process as usize).map_or("", |code| &code.name);
            self.watched.push(self.model.watched_by(*process));
            self.properties.push(Property {
                name: name.to_owned(),
                message: format!("a run that PROPERTY `{name}` forbids"),
                kind: "property",
                location: object.location(object.debug.properties.get(index)),
                automaton,
                observed: Some(format!("{WATCHED}{name}")),
            });
        }
        Ok(())
    }

    fn source(&mut self) -> Result<&mut lf::Source, Vec<Diagnostic>> {
        self.source.as_mut().ok_or_else(|| {
            let message = "a compiled program has no names: formulas and --watch need its source";
            vec![Diagnostic::general(message)]
        })
    }
}

impl Program for Loaded {
    type Model = Model;
    type Fast<'p> = &'p Model;

    fn model(&self) -> &Model {
        &self.model
    }

    fn fast<'p>(&'p self, model: &'p Model, engine: Option<Engine>) -> Result<&'p Model, Failure> {
        match engine {
            Some(Engine::Native) => {
                Err(Failure::wrong("--engine native is for models: LF runs on its own kernel"))
            }
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
        self.model.sampled.load(Relaxed).then_some(Reason::Nondet)
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = self.remarks.clone();
        if self.model.options.record
            && let Ok(outputs) = self.model.outputs.lock()
        {
            remarks.push(format!("the program can print {} different texts", outputs.len()));
            let shown = outputs.iter().take(MOST_OUTPUTS);
            remarks.extend(shown.map(|text| format!("{:?}", String::from_utf8_lossy(text))));
        }
        remarks
    }

    fn model_of(&self, property: usize) -> &Model {
        self.watched.get(property).unwrap_or(&self.model)
    }

    fn caveat_of(&self, property: usize) -> Option<Reason> {
        let unsure = !self.knows_letters_of(property);
        unsure.then_some(Reason::Unsupported).or_else(|| self.caveat())
    }

    fn knows_letters_of(&self, property: usize) -> bool {
        property < self.watched.len() || !self.model.at_a_loss.load(Relaxed)
    }

    fn trouble_of(&self, property: usize) -> Option<auspex_system::Fault> {
        self.watched.get(property)?.trouble.lock().ok()?.take()
    }

    fn temporal(&self) -> Vec<Temporal<'_>> {
        let temporal = |property| {
            let Property { name, message, kind, location, automaton, observed }: &Property =
                property;
            let (message, location) = (message.clone(), location.clone());
            Temporal { name, kind, message, location, automaton, observed: observed.as_deref() }
        };
        self.properties.iter().map(temporal).collect()
    }

    fn observe(&mut self, _: &mut SourceMap, text: &str) -> Result<(), Vec<Diagnostic>> {
        let Some(name) = text.strip_prefix(WATCHED) else { return Ok(()) };
        let index = self.properties.iter().position(|property| property.name == name);
        if let Some(watched) = index.and_then(|index| self.watched.get(index)) {
            self.model = watched.clone();
        }
        Ok(())
    }

    fn add_ltl(&mut self, sources: &mut SourceMap, text: &str) -> Result<(), Vec<Diagnostic>> {
        let file = sources.add("--ltl", text);
        let parsed = auspex_ltl::parse(text, file, 0).map_err(|error| vec![error])?;
        let mut object = (*self.model.object).clone();
        let source = self.source()?;
        let mut propositions = Vec::new();
        for atom in &parsed.atoms {
            let place = (file, atom.range.start as u32, atom.text.as_str());
            propositions.push(lf::proposition(source, &mut object, sources, place)?);
        }
        let negated = Formula::not(parsed.formula);
        let automaton = auspex_ltl::translate(&negated).map_err(|error| vec![error])?;
        let formulas = self.model.formulas.len();
        let name = if formulas == 0 { "ltl".to_owned() } else { format!("ltl_{}", formulas + 1) };
        self.model.object = Arc::new(object);
        self.model.formulas.push(propositions);
        self.warnings.extend(parsed.warnings);
        self.properties.push(Property {
            message: format!("a run violates `{name}`: {}", text.trim()),
            name,
            kind: "ltl",
            location: Location::unknown(),
            automaton,
            observed: None,
        });
        Ok(())
    }

    fn add_labels(&mut self, _: Labels) -> Result<(), Failure> {
        Err(Failure::wrong(
            "accept and progress labels are those of Promela: LF has PROPERTY and ACCEPT",
        ))
    }

    fn watch(&mut self, sources: &mut SourceMap, text: &str) -> Result<(), Vec<Diagnostic>> {
        let file = sources.add("--watch", text);
        let mut object = (*self.model.object).clone();
        let source = self.source()?;
        let (pc, ty) = lf::expression(source, &mut object, sources, (file, 0, text))?;
        let watch = (text.to_owned(), pc, ty);
        let object = Arc::new(object);
        for model in self.watched.iter_mut().chain([&mut self.model]) {
            model.object = object.clone();
            model.watches.push(watch.clone());
        }
        Ok(())
    }
}
