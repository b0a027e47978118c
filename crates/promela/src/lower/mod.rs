//! From the syntax tree to the process IR: names, types, layout, and statements.

mod chan;
mod claim;
mod decl;
mod expr;
mod proctype;
mod property;
mod scope;
mod stmt;
mod trace;

use crate::ast;
use crate::flow::{self, Flow, Seq};
use crate::scope::Scopes;
use auspex_process::Model;
use auspex_process::ir::*;
use auspex_system::{Diagnostic, Location, SourceMap, Span};
pub use property::{Property, PropertyKind, acceptance, lower_formula, progress};
use scope::Symbol;
use std::collections::{HashMap, HashSet};

/// A part of the file that was read but is not checked.
#[derive(Clone, Debug)]
pub struct Unchecked {
    pub name: String,
    pub location: Location,
}

/// The result of lowering a program.
pub struct Lowered {
    pub model: Model,
    pub warnings: Vec<Diagnostic>,
    pub unchecked: Vec<Unchecked>,
    /// In the order of [`Model::properties`].
    pub properties: Vec<Property>,
    pub symbols: Symbols,
}

/// What later expressions (`--watch`) need to know about names.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    scopes: Scopes<Symbol>,
    proctypes: HashMap<String, ProctypeId>,
    /// The local variables of each proctype, for remote references.
    locals: HashMap<ProctypeId, HashMap<String, Symbol>>,
    labels: HashMap<ProctypeId, HashMap<String, Vec<LocId>>>,
    sets: HashMap<String, SetId>,
}

/// What a first pass over the program finds out that the second has to know beforehand.
#[derive(Default)]
struct Knowledge {
    /// Hidden variables whose value is used: they have to be part of the state after all.
    used_hidden: HashSet<String>,
    /// Local variables of all proctypes, for references to proctypes further down.
    locals: HashMap<ProctypeId, HashMap<String, Symbol>>,
}

/// Lowers a program, or says everything that is wrong with it.
pub fn lower(program: &ast::Program, map: &SourceMap) -> Result<Lowered, Vec<Diagnostic>> {
    let mut first = Lowerer::new(map, Knowledge::default());
    first.program(program);
    let knowledge =
        Knowledge { used_hidden: first.used_hidden, locals: first.symbols.locals.clone() };
    let mut second = Lowerer::new(map, knowledge);
    second.program(program);
    second.finish(program)
}

/// Lowers an expression over the globals of a model.
pub fn lower_expression(
    expr: &ast::Expr,
    map: &SourceMap,
    symbols: &Symbols,
    model: &mut Model,
) -> Result<(Expr, auspex_process::Scalar), Vec<Diagnostic>> {
    let mut lowerer = Lowerer::late(map, symbols, model);
    let typed = lowerer.expr(expr);
    lowerer.resolve_labels();
    std::mem::swap(&mut lowerer.model, model);
    match lowerer.errors.is_empty() {
        true => Ok((typed.expr, typed.ty.unwrap_or(auspex_process::Scalar::Int))),
        false => Err(lowerer.errors),
    }
}

/// What a field of a typedef begins with.
#[derive(Clone)]
enum FieldValue {
    Value(Expr),
    Channel(ChannelTypeId),
}

/// A proctype whose statements are linked, but whose automaton is not made yet: it may depend on
/// which labels other proctypes refer to.
struct Body {
    id: ProctypeId,
    flow: Flow,
    seq: Option<Seq>,
}

pub(crate) struct Lowerer<'s> {
    map: &'s SourceMap,
    model: Model,
    symbols: Symbols,
    knowledge: Knowledge,
    is_second: bool,
    used_hidden: HashSet<String>,
    bodies: Vec<Body>,
    /// The flow of the proctype that is being lowered.
    flow: Flow,
    /// Its name and frame.
    context: Option<Context>,
    /// Message counts of channels whose declaration is known, for early warnings.
    channel_fields: HashMap<String, usize>,
    /// Locals of the blocks inside the proctype that is being lowered.
    inner_locals: HashMap<String, Symbol>,
    /// Every `run`: what, with how many arguments, where.
    runs: Vec<(ProctypeId, usize, Span)>,
    /// Every use of a label from outside its proctype.
    label_uses: Vec<(u32, Span)>,
    /// Every send and receive: how many fields, where.
    message_lengths: Vec<(usize, Span)>,
    /// Initial values of the fields of typedefs: type, field, value.
    field_values: Vec<(u16, usize, FieldValue)>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    properties: Vec<Property>,
    unchecked: Vec<Unchecked>,
    /// An expression is about a state, from outside.
    in_property: bool,
    /// A label without a location of its own is an error.
    is_strict: bool,
    /// What the property that is being lowered contains, but cannot.
    unsupported: Vec<(Span, &'static str)>,
}

/// The proctype that is being lowered.
struct Context {
    name: String,
    frame: Frame,
    /// Declarations still belong to the creation of the process: no statement came before.
    at_top: bool,
    /// How many inline calls deep.
    inline_depth: usize,
}

impl<'s> Lowerer<'s> {
    fn new(map: &'s SourceMap, knowledge: Knowledge) -> Self {
        let is_second = !knowledge.locals.is_empty();
        let mut model = Model { checks_deadlock: true, ..Model::default() };
        // The constants that were declared without a set of their own.
        model.sets.push(SymbolSet { name: "mtype".into(), names: Vec::new() });
        Lowerer {
            map,
            model,
            symbols: Symbols::default(),
            knowledge,
            is_second,
            used_hidden: HashSet::new(),
            bodies: Vec::new(),
            flow: Flow::default(),
            context: None,
            channel_fields: HashMap::new(),
            inner_locals: HashMap::new(),
            runs: Vec::new(),
            label_uses: Vec::new(),
            message_lengths: Vec::new(),
            field_values: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            properties: Vec::new(),
            unchecked: Vec::new(),
            in_property: false,
            is_strict: false,
            unsupported: Vec::new(),
        }
    }

    /// For expressions that come when the model is complete. Takes the model: it has to be given
    /// back.
    fn late(map: &'s SourceMap, symbols: &Symbols, model: &mut Model) -> Self {
        let mut lowerer = Lowerer::new(map, Knowledge::default());
        lowerer.symbols = symbols.clone();
        lowerer.is_second = true;
        std::mem::swap(&mut lowerer.model, model);
        lowerer
    }

    fn program(&mut self, program: &ast::Program) {
        self.register_proctypes(program);
        for item in &program.items {
            match item {
                ast::Item::Typedef { name, fields, .. } => self.typedef(name, fields),
                ast::Item::Mtype { set, names } => self.mtype(set.as_ref(), names),
                ast::Item::Global(decl) => self.global(decl),
                ast::Item::Proctype(proctype) => self.proctype(proctype),
                ast::Item::Claim(_) | ast::Item::Ltl(_) => {}
                ast::Item::Code(_) | ast::Item::ModelOnly(_) => self.not_a_model(),
            }
        }
        self.properties(program);
    }

    fn register_proctypes(&mut self, program: &ast::Program) {
        let proctypes = program.items.iter().filter_map(|item| match item {
            ast::Item::Proctype(proctype) => Some(proctype),
            _ => None,
        });
        for (index, proctype) in proctypes.enumerate() {
            let name = &proctype.name;
            if index >= 255 {
                self.error(name.span, "more than 255 proctypes");
                return;
            }
            let id = ProctypeId(index as u8);
            if self.symbols.proctypes.insert(name.text.clone(), id).is_some() {
                self.error(name.span, format!("proctype `{}` is defined twice", name.text));
            }
        }
    }

    /// Makes the automata and puts everything together.
    fn finish(mut self, program: &ast::Program) -> Result<Lowered, Vec<Diagnostic>> {
        if self.model.start.is_empty() && self.errors.is_empty() {
            self.errors.push(no_process(program));
        }
        if self.errors.is_empty() {
            self.check_priorities();
            self.check_runs();
            self.check_message_lengths();
            self.finish_bodies();
            self.resolve_labels();
        }
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        self.warn_of_unused();
        self.model.sources = self.map.clone();
        let Lowerer { model, warnings, symbols, unchecked, properties, .. } = self;
        Ok(Lowered { model, warnings, unchecked, properties, symbols })
    }

    fn finish_bodies(&mut self) {
        for mut body in std::mem::take(&mut self.bodies) {
            let Some(seq) = body.seq else { continue };
            let remote: Vec<String> = self
                .model
                .labels
                .iter()
                .filter(|l| l.proctype == body.id)
                .map(|l| l.name.clone())
                .collect();
            let statements = &mut self.model.statements;
            match flow::finish(&mut body.flow, seq, &remote, statements) {
                Ok(automaton) => {
                    let labels = self.symbols.labels.entry(body.id).or_default();
                    for label in &body.flow.labels {
                        let at = labels.entry(label.name.clone()).or_default();
                        at.extend(automaton.location_of.get(&label.element));
                    }
                    self.model.wide_locations |= automaton.locations.len() > 256;
                    let proctype = &mut self.model.proctypes[body.id.0 as usize];
                    proctype.start = automaton.start;
                    proctype.locations = automaton.locations;
                    proctype.transitions = automaton.transitions;
                }
                Err(errors) => self.errors.extend(errors),
            }
        }
    }

    fn resolve_labels(&mut self) {
        for (index, span) in std::mem::take(&mut self.label_uses) {
            let label = &mut self.model.labels[index as usize];
            let known = self.symbols.labels.get(&label.proctype);
            match known.and_then(|labels| labels.get(&label.name)) {
                Some(locations) if locations.is_empty() && self.is_strict => {
                    let message = format!("label `{}` is no state of its own", label.name);
                    let error = Diagnostic::error(span, message)
                        .label("it stands on a jump, or is never reached")
                        .hint("put the formula into the file: `ltl name { ... }`");
                    self.errors.push(error);
                }
                Some(locations) => label.locations.clone_from(locations),
                None => {
                    let proctype = &self.model.proctypes[label.proctype.0 as usize].name;
                    let message = format!("`{proctype}` has no label `{}`", label.name);
                    self.errors.push(Diagnostic::error(span, message));
                }
            }
        }
    }

    /// Who may complete a rendezvous when somebody in between outranks him? Spin does not say
    /// either: it refuses.
    fn check_priorities(&mut self) {
        if self.model.has_priorities
            && self.model.channel_types.iter().any(ChannelType::is_rendezvous)
        {
            let message = "priorities cannot be combined with rendezvous channels";
            let error = Diagnostic::general(message).hint("use a channel with a capacity");
            self.errors.push(error);
        }
    }

    /// Arguments that are missing are 0, as in Spin; too many are an error.
    fn check_runs(&mut self) {
        for (id, given, span) in std::mem::take(&mut self.runs) {
            let proctype = &self.model.proctypes[id.0 as usize];
            let wanted = proctype.parameters.len();
            let message = format!("`{}` takes {wanted} arguments, {given} given", proctype.name);
            if given > wanted {
                self.error(span, message);
            } else if given < wanted {
                let hint = "the missing ones are 0";
                self.warning(Diagnostic::warning(span, message).hint(hint));
            }
        }
    }

    /// Only the implementation reading has these, and that is not for checking.
    fn not_a_model(&mut self) {
        self.errors.push(Diagnostic::general("an implementation is not a model to check"));
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(span, message));
    }

    fn warning(&mut self, diagnostic: Diagnostic) {
        self.warnings.push(diagnostic);
    }

    /// A new statement of the proctype that is being lowered.
    fn statement(&mut self, span: Span, text: impl Into<String>, counts: bool) -> StmtId {
        let proctype = self.context.as_ref().map_or_else(String::new, |c| c.name.clone());
        let location = self.map.location(span);
        self.model.statements.push(Statement { proctype, location, text: text.into(), counts });
        StmtId(self.model.statements.len() as u32 - 1)
    }
}

fn no_process(program: &ast::Program) -> Diagnostic {
    let first = program.items.iter().find_map(|item| match item {
        ast::Item::Proctype(proctype) => Some(proctype.name.span),
        _ => None,
    });
    let message = "no process runs: the model has neither `init` nor `active`";
    match first {
        Some(span) => Diagnostic::error(span, message),
        None => Diagnostic::general(message),
    }
    .hint("put `active` before a proctype, or add `init { run ... }`")
}
