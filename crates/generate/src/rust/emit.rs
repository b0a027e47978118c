//! Statements: looking whether they can run, and what they do.

use super::expr::{Exprs, type_bounds};
use super::fit::fit;
use super::graph::Mode;
use super::names::name;
use super::text::{Text, literal};
use crate::tree::*;
use auspex_promela::ast::{Code, PlainOp, Primitive};
use auspex_system::{FileId, SourceMap, Span};

/// A statement that a process can go on with.
#[derive(Clone, Copy)]
pub struct Offer<'s> {
    pub stmt: &'s Stmt,
    /// A jump: nothing to wait for, and nothing to do.
    pub passes: bool,
    pub d_step: Option<usize>,
    /// Of an `unless`: the outermost escape is 0, the main part is the last.
    pub group: usize,
    pub begun: bool,
}

impl Offer<'_> {
    fn is_else(&self) -> bool {
        matches!(self.stmt.kind, Kind::Else) && !self.passes
    }

    fn is_condition(&self) -> bool {
        !self.passes
            && match &self.stmt.kind {
                Kind::Condition(expr) => !matches!(expr, Expr::Run { .. }),
                Kind::Code(code) => code.primitive == Primitive::Expr,
                _ => false,
            }
    }

    fn may_block(&self) -> bool {
        let waits = matches!(self.stmt.kind, Kind::Send { .. } | Kind::Receive { .. } | Kind::Else);
        !self.passes && (waits || self.is_condition())
    }
}

/// Where a process stands.
#[derive(Clone, Copy)]
pub struct Site {
    pub span: Span,
    pub is_end: bool,
}

/// What kind of program it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// Processes are threads, and share globals and channels.
    Threads,
    /// Processes are programs.
    Programs,
}

pub struct Emitter<'s> {
    pub flavour: Flavour,
    pub spec: &'s Spec,
    pub map: &'s SourceMap,
    pub main_file: FileId,
    pub process: &'s Process,
    pub exprs: Exprs<'s>,
    pub text: Text,
    /// How things happen here, if that is known.
    pub mode: Option<Mode>,
}

impl<'s> Emitter<'s> {
    pub fn new(
        flavour: Flavour,
        spec: &'s Spec,
        map: &'s SourceMap,
        process: &'s Process,
    ) -> Emitter<'s> {
        let (exprs, text, mode) = (Exprs { spec }, Text::default(), Some(Mode::Free));
        let main_file = main_file(spec);
        Emitter { flavour, spec, map, main_file, process, exprs, text, mode }
    }

    pub fn line(&mut self, line: impl AsRef<str>) {
        self.text.line(line);
    }

    /// A place of the specification, as the runtime wants it.
    pub fn site(&self, site: Site) -> String {
        let at = self.map.location(site.span);
        match (site.span.file == self.main_file, site.is_end) {
            (true, false) => at.line.to_string(),
            (true, true) => format!("end({})", at.line),
            (false, is_end) => {
                let end = if is_end { ".end()" } else { "" };
                format!("included({}, {}){end}", literal(&at.file), at.line)
            }
        }
    }

    pub fn set_mode(&mut self, mode: Mode) {
        // A program that is alone is never interrupted.
        if self.mode != Some(mode) && self.flavour == Flavour::Threads {
            self.line(match mode {
                Mode::Free => "g.free();",
                Mode::Atomic => "g.atomic();",
                Mode::DStep => "g.d_step();",
            });
            self.mode = Some(mode);
        }
    }

    /// The closing brace of the process.
    pub fn end(&mut self) {
        if self.flavour == Flavour::Programs {
            return self.line("g.finish();");
        }
        let place = self.site(Site { span: self.process.end, is_end: false });
        match &self.process.provided {
            None => self.line(format!("g.end({place});")),
            Some(provided) => {
                let provided = self.exprs.condition(provided);
                self.line(format!("g.end_provided({place}, |g| {provided});"));
            }
        }
    }

    /// Prints the wait for one of several statements and what each does; `arm` prints what follows each.
    pub fn choice(
        &mut self,
        site: Site,
        offers: &[Offer<'s>],
        arm: &mut dyn FnMut(&mut Self, usize),
    ) {
        let place = self.site(site);
        let is_plain = self.process.provided.is_none() || offers.iter().all(|offer| offer.begun);
        match offers {
            [only] if is_plain && !only.may_block() => {
                self.line(format!("g.step({place});"));
                self.effect(only);
                arm(self, 0);
            }
            [first, second] if is_plain && first.is_condition() && second.is_else() => {
                self.line(format!("g.step({place});"));
                let condition = self.condition(first.stmt);
                self.line(format!("if {condition} {{"));
                let mode = self.mode;
                arm(self, 0);
                self.mode = mode;
                let before = self.text.mark();
                self.line("} else {");
                let begin = self.text.mark();
                arm(self, 1);
                if self.text.mark() == begin {
                    self.text.back_to(before);
                }
                self.line("}");
            }
            [only] => {
                self.select(&place, offers, ("", ";"));
                self.effect(only);
                arm(self, 0);
            }
            _ => {
                self.select(&place, offers, ("match ", " {"));
                let mode = self.mode;
                for (number, offer) in offers.iter().enumerate() {
                    self.mode = mode;
                    match number + 1 == offers.len() {
                        true => self.line("_ => {"),
                        false => self.line(format!("{number} => {{")),
                    }
                    self.effect(offer);
                    arm(self, number);
                    self.line("}");
                }
                self.line("}");
            }
        }
    }

    /// The call that waits for one of the statements.
    fn select(&mut self, place: &str, offers: &[Offer<'s>], (before, after): (&str, &str)) {
        let looks = self.looks(offers);
        let g = if looks.iter().any(|look| uses_globals(look)) { "g" } else { "_" };
        let text = literal(&waits_for(offers));
        match looks.as_slice() {
            [only] if !only.ends_with('{') && only.len() + text.len() < 70 => {
                let body = only.trim_end_matches(';');
                let open = format!("{before}g.select({place}, {text}, |{g}, look| {{");
                self.line(format!("{open} {body}; }}){after}"));
            }
            _ => {
                self.line(format!("{before}g.select({place}, {text}, |{g}, look| {{"));
                looks.iter().for_each(|look| self.line(look));
                self.line(format!("}}){after}"));
            }
        }
    }

    /// The lines that look at each statement.
    fn looks(&self, offers: &[Offer<'s>]) -> Vec<String> {
        let mut lines = Vec::new();
        let mut group = offers.first().map_or(0, |offer| offer.group);
        let (mut is_main, mut open) = (false, false);
        let mut chain: Option<(usize, Vec<String>)> = None;
        let flush = |chain: &mut Option<(usize, Vec<String>)>, lines: &mut Vec<String>| match chain
            .take()
        {
            Some((_, parts)) if parts.len() == 1 => lines.push(format!("{};", parts[0])),
            Some((_, parts)) => lines.push(format!("let _ = {};", parts.join(" || "))),
            None => {}
        };
        for (number, offer) in offers.iter().enumerate() {
            let look = self.look(number, offer);
            let next_group = offer.group != group;
            let same = matches!((&chain, offer.d_step), (Some((id, _)), Some(d)) if *id == d);
            if next_group || !same {
                flush(&mut chain, &mut lines);
            }
            if next_group {
                if std::mem::take(&mut open) {
                    lines.push("}".into());
                }
                lines.push("let can_go_on = look.main();".into());
                (group, is_main) = (offer.group, true);
            }
            // A rendezvous can be completed even where an escape could run.
            let is_receive = matches!(offer.stmt.kind, Kind::Receive { .. }) && !offer.passes;
            if is_main && open == is_receive {
                lines.push(if is_receive { "}".into() } else { "if can_go_on {".into() });
                open = !is_receive;
            }
            match (&mut chain, offer.d_step) {
                (Some((_, parts)), Some(_)) if same => parts.push(look),
                (_, Some(d_step)) => chain = Some((d_step, vec![look])),
                _ => lines.push(format!("{look};")),
            }
        }
        flush(&mut chain, &mut lines);
        if open {
            lines.push("}".into());
        }
        match &self.process.provided {
            Some(provided) if !offers.iter().all(|offer| offer.begun) => {
                lines.insert(0, format!("if {} {{", self.exprs.condition(provided)));
                lines.push("}".into());
            }
            _ => {}
        }
        lines
    }

    fn condition(&self, stmt: &Stmt) -> String {
        match &stmt.kind {
            Kind::Condition(expr) => self.exprs.condition(expr),
            Kind::Code(code) => {
                let code_text = format!("truth({})", fit(self.spec, &code.text));
                match &code.guard {
                    Some(guard) => format!("truth({}) && {code_text}", fit(self.spec, guard)),
                    None => code_text,
                }
            }
            _ => "true".to_string(),
        }
    }

    fn look(&self, number: usize, offer: &Offer<'_>) -> String {
        if offer.is_condition() {
            let asks = self.flavour == Flavour::Programs && asks_outside(offer.stmt);
            let method = if asks { "ask" } else { "when" };
            return format!("look.{method}({number}, {})", self.condition(offer.stmt));
        }
        match &offer.stmt.kind {
            _ if offer.passes => format!("look.when({number}, true)"),
            Kind::Else if offer.d_step.is_none() => format!("look.otherwise({number})"),
            Kind::Send { chan, args, sorted } => {
                let method = if *sorted { "send_sorted" } else { "send" };
                let (chan, values) = (self.exprs.place(chan), self.exprs.values(args));
                format!("look.{method}({number}, {chan}, &[{values}])")
            }
            Kind::Receive { chan, args, random, keep } => {
                let method = match (random, keep) {
                    (false, false) => "receive",
                    (true, false) => "receive_any",
                    (false, true) => "copy",
                    (true, true) => "copy_any",
                };
                let (chan, patterns) = (self.exprs.place(chan), self.exprs.patterns(args));
                format!("look.{method}({number}, {chan}, &[{patterns}])")
            }
            _ => format!("look.when({number}, true)"),
        }
    }

    /// What a statement does, once it was chosen.
    fn effect(&mut self, offer: &Offer<'s>) {
        if offer.passes {
            return;
        }
        let stmt = offer.stmt;
        match &stmt.kind {
            Kind::Assign { target, value: Expr::Run { process, args, .. } } => {
                if let Some(run) = self.run(*process, args) {
                    let bounds = match self.flavour {
                        Flavour::Threads => (0, 254),
                        Flavour::Programs => type_bounds(Type::Int),
                    };
                    let value = self.exprs.cut_text(run, bounds, target.ty);
                    self.store(target, value);
                }
            }
            Kind::Condition(Expr::Run { process, args, .. }) => {
                if let Some(run) = self.run(*process, args) {
                    self.line(format!("{run};"));
                }
            }
            Kind::Assign { target, value } => {
                let value = self.exprs.cut(value, target.ty);
                self.store(target, value);
            }
            Kind::Increment { target, by } => {
                let op = if *by < 0 { PlainOp::Sub } else { PlainOp::Add };
                let (place, by) = (Expr::Place(target.clone()), Expr::Number(by.abs()));
                let sum = Expr::Binary(op, Box::new(place), Box::new(by));
                let value = self.exprs.cut(&sum, target.ty);
                self.store(target, value);
            }
            Kind::Receive { args, .. } => {
                for (number, arg) in args.iter().enumerate() {
                    if let Arg::Store(place) = arg {
                        let value = format!("g.received({number})");
                        let bounds = type_bounds(Type::Int);
                        self.store(place, self.exprs.cut_text(value, bounds, place.ty));
                    }
                }
            }
            Kind::Assert(expr) => {
                let (condition, text) = (self.exprs.condition(expr), literal(&stmt.text));
                self.line(format!("assert({condition}, {text});"));
            }
            Kind::Print(parts) => self.print(parts),
            Kind::Select { var, low, high } => {
                let (low, high) = (self.exprs.value(low), self.exprs.value(high));
                let picked = match uses_globals(&low) || uses_globals(&high) {
                    true => {
                        self.line(format!("let (arg0, arg1) = ({low}, {high});"));
                        "g.pick(arg0, arg1)".to_string()
                    }
                    false => format!("g.pick({low}, {high})"),
                };
                self.store(var, self.exprs.cut_text(picked, type_bounds(Type::Int), var.ty));
            }
            Kind::Initialise(id) => self.initialise_late(*id),
            Kind::Code(code) => self.code(code),
            _ => {}
        }
    }

    fn initialise_late(&mut self, id: VarId) {
        let variable = self.spec.variable(id);
        let text = self.exprs.variable(id);
        let text = if variable.length.is_some() { format!("{text}[0]") } else { text };
        let ty = variable.ty.stored(variable.length);
        match (&variable.initial, ty) {
            (_, Type::Record(_)) | (Initial::Channel(_) | Initial::List(_), _) => {}
            (Initial::Zero, _) => self.line(format!("{text} = 0;")),
            (Initial::Value(value), _) => {
                let value = self.exprs.cut(value, ty);
                self.line(format!("{text} = {value};"));
            }
        }
    }

    pub fn code(&mut self, code: &Code) {
        if code.primitive != Primitive::Code {
            return;
        }
        if let Some(guard) = &code.guard {
            let text = literal(guard.trim());
            self.line(format!("assert(truth({}), {text});", fit(self.spec, guard)));
        }
        if !code.text.trim().is_empty() {
            self.line("{");
            self.text.paste(&fit(self.spec, &code.text));
            self.line("}");
        }
    }

    /// Stores a value. Where globals are stored, an index that looks at globals has to be known before.
    pub fn store(&mut self, place: &Place, value: String) {
        let is_global = self.spec.variable(place.var).owner.is_none();
        let mut hoisted = Vec::new();
        let exprs = Exprs { spec: self.spec };
        let target = exprs.place_with(place, &mut |index, length| {
            let text = exprs.index(index, length);
            if !is_global || index.constant().is_some() || !uses_globals(&text) {
                return text;
            }
            let name = format!("at{}", hoisted.len());
            hoisted.push(format!("let {name} = {text};"));
            name
        });
        // The index counts before the value does.
        hoisted.iter().for_each(|line| self.line(line));
        self.line(format!("{target} = {value};"));
    }

    /// The call that creates a process. The environment is not created.
    fn run(&mut self, process: usize, args: &[Expr]) -> Option<String> {
        let callee = &self.spec.processes[process];
        if callee.is_env {
            self.line(format!("// {} belongs to the environment.", callee.name));
            return None;
        }
        let mut passed = Vec::new();
        for (number, arg) in args.iter().enumerate() {
            let value = self.exprs.value(arg);
            if uses_globals(&value) {
                self.line(format!("let arg{number} = {value};"));
                passed.push(format!("arg{number}"));
            } else {
                passed.push(value);
            }
        }
        let (title, function) = (literal(&callee.name), name(&callee.name));
        if self.flavour == Flavour::Programs {
            return Some(format!("g.run({title}, &[{}])", passed.join(", ")));
        }
        if passed.is_empty() {
            return Some(format!("g.run({title}, {function})"));
        }
        Some(format!("g.run({title}, move |g| {function}(g, {}))", passed.join(", ")))
    }

    fn print(&mut self, parts: &[PrintPart]) {
        let mut format = String::new();
        let mut args = Vec::new();
        for part in parts {
            let (hole, arg) = match part {
                PrintPart::Text(text) => {
                    format.push_str(&text.replace('{', "{{").replace('}', "}}"));
                    continue;
                }
                PrintPart::Decimal(expr) => ("{}", self.exprs.value(expr)),
                PrintPart::Unsigned(expr) => ("{}", format!("natural({})", self.exprs.value(expr))),
                PrintPart::Hex(expr) => ("{:x}", self.exprs.value(expr)),
                PrintPart::Octal(expr) => ("{:o}", self.exprs.value(expr)),
                PrintPart::Character(expr) => {
                    ("{}", format!("character({})", self.exprs.value(expr)))
                }
                PrintPart::Symbol(expr, set) => {
                    let names = names_of(self.spec, *set);
                    ("{}", format!("symbol({names}, {})", self.exprs.value(expr)))
                }
            };
            // What is a plain name can stand inside of the format.
            match arg.chars().all(|c| c.is_alphanumeric() || c == '_')
                && !arg.starts_with(|c: char| c.is_ascii_digit())
            {
                true => format.push_str(&hole.replacen('{', &format!("{{{arg}"), 1)),
                false => {
                    format.push_str(hole);
                    args.push(arg);
                }
            }
        }
        let (macro_name, format) = match format.strip_suffix('\n') {
            Some(rest) => ("println", rest.to_string()),
            None => ("print", format),
        };
        let args: String = args.iter().map(|arg| format!(", {arg}")).collect();
        match format.is_empty() && args.is_empty() {
            true => self.line(format!("{macro_name}!();")),
            false => self.line(format!("{macro_name}!({}{args});", literal(&format))),
        }
    }
}

/// Does the condition depend on code of the implementation?
fn asks_outside(stmt: &Stmt) -> bool {
    let Kind::Condition(expr) = &stmt.kind else { return true };
    let mut asks = false;
    expr.visit(&mut |expr| asks |= matches!(expr, Expr::Code(_)));
    asks
}

/// The file that is meant where none is named.
pub fn main_file(spec: &Spec) -> FileId {
    spec.processes.first().map_or(FileId(0), |process| process.span.file)
}

/// The table of the names of a set.
pub fn names_of(spec: &Spec, set: usize) -> String {
    format!("NAMES_OF_{}", spec.sets[set].name.as_deref().unwrap_or("MTYPE").to_uppercase())
}

/// What a process waits for, in a few words.
fn waits_for(offers: &[Offer<'_>]) -> String {
    let texts: Vec<&str> = offers.iter().map(|offer| offer.stmt.text.as_str()).collect();
    let text = texts.join(" or ");
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

/// Does it say `g.`?
fn uses_globals(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let standing = |at: usize| !text[..at].ends_with(is_name);
    text.match_indices("g.").any(|(at, _)| standing(at))
        || text.match_indices("g,").any(|(at, _)| standing(at))
}
