//! Statements: looking whether they can run. What they do is in [`super::effect`].

use super::expr::Exprs;
use super::fit::fit;
use super::graph::Mode;
use super::text::{Text, literal};
use crate::tree::*;
use auspex_promela::ast::Primitive;
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
        let (exprs, text, mode) = (Exprs { spec, flavour }, Text::default(), Some(Mode::Free));
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
            Some((_, parts)) => lines.push(match self.flavour {
                Flavour::Programs => format!("let _ = {};", parts.join(" || ")),
                Flavour::Threads => format!("look.first(|look| {});", parts.join(" || ")),
            }),
            None => {}
        };
        for (number, offer) in offers.iter().enumerate() {
            let look = self.look(number, offer);
            let next_group = offer.group != group;
            // Code may do something when it is asked: once an option can run, a program asks for no other.
            let chained = match self.flavour {
                Flavour::Programs if !offer.is_else() => Some(0),
                _ => offer.d_step,
            };
            let same = matches!((&chain, chained), (Some((id, _)), Some(d)) if *id == d);
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
            match (&mut chain, chained) {
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
    format!("NAMES_OF_{}", spec.sets[set].name.as_deref().unwrap_or("MTYPE"))
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
pub fn uses_globals(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let standing = |at: usize| !text[..at].ends_with(is_name);
    text.match_indices("g.").any(|(at, _)| standing(at))
        || text.match_indices("g,").any(|(at, _)| standing(at))
}
