//! What a generator of Rust can do without: C code, marks of `promela_MS`, `for`.

use crate::tree::*;
use auspex_promela::ast::{Language, PlainOp, Primitive};
use auspex_system::Diagnostic;

/// Takes out what is not for Rust, and writes `for` as the loop that it is.
pub fn prepare(spec: &Spec) -> (Spec, Vec<Diagnostic>) {
    let mut prepared = spec.clone();
    let mut worker =
        Worker { spec: spec.clone(), process: 0, added: Vec::new(), warnings: Vec::new() };
    for (index, process) in prepared.processes.iter_mut().enumerate() {
        worker.process = index;
        process.body = worker.block(std::mem::take(&mut process.body));
        process.locals.append(&mut worker.added);
    }
    prepared.variables = worker.spec.variables;
    for global in &spec.globals {
        if let Global::Code(code) = global
            && code.language == Language::C
        {
            let has_twin = spec.globals.iter().any(
                |other| matches!(other, Global::Code(twin) if twin.language == Language::Rust),
            );
            if !has_twin {
                worker.warnings.push(left_out(code.span));
            }
        }
    }
    (prepared, worker.warnings)
}

fn left_out(span: auspex_system::Span) -> Diagnostic {
    Diagnostic::warning(span, "this C code is not in the Rust program")
        .hint("put its twin beside it: `rust_code_IS { ... }` or `rust_expr_IS { ... }`")
}

struct Worker {
    /// Knows the variables, those that are added too.
    spec: Spec,
    process: usize,
    added: Vec<VarId>,
    warnings: Vec<Diagnostic>,
}

impl Worker {
    fn block(&mut self, block: Block) -> Block {
        let is_aside = |stmt: &Stmt| matches!(stmt.kind, Kind::Code(_) | Kind::ModelOnly);
        let is_rust = |stmt: &Stmt| match &stmt.kind {
            Kind::Code(code) => code.language == Language::Rust,
            Kind::Condition(Expr::Code(code)) => code.language == Language::Rust,
            _ => false,
        };
        let mut has_twin = vec![false; block.len()];
        for at in 0..block.len() {
            let before = block[..at].iter().rev().take_while(|s| is_aside(s)).any(is_rust);
            let after = block[at + 1..].iter().take_while(|s| is_aside(s)).any(is_rust);
            has_twin[at] = before || after;
        }
        let mut out = Block::new();
        // Labels of what is left out belong to what follows.
        let mut labels = Vec::new();
        let mut last = None;
        for (mut stmt, has_twin) in block.into_iter().zip(has_twin) {
            last = Some(stmt.span);
            stmt.labels.splice(0..0, labels.drain(..));
            let is_c = match &stmt.kind {
                Kind::Code(code) | Kind::Condition(Expr::Code(code)) => {
                    code.language == Language::C
                }
                _ => false,
            };
            if is_c && !has_twin {
                self.warnings.push(left_out(stmt.span));
            }
            if is_c || matches!(stmt.kind, Kind::ModelOnly) {
                labels = stmt.labels;
                continue;
            }
            self.statement(stmt, &mut out);
        }
        if let (true, Some(span)) = (!labels.is_empty() || out.is_empty(), last) {
            out.push(Stmt { labels, kind: Kind::Skip, span, text: "skip".into() });
        }
        out
    }

    fn statement(&mut self, mut stmt: Stmt, out: &mut Block) {
        for block in stmt.kind.blocks_mut() {
            *block = self.block(std::mem::take(block));
        }
        match stmt.kind {
            Kind::For { var, range, body } => {
                let (span, labels) = (stmt.span, stmt.labels);
                self.count(labels, var, range, body, span, out);
            }
            kind => out.push(Stmt { kind, ..stmt }),
        }
    }

    /// `i = low; do :: i <= high -> body; i++ :: else -> break od`
    fn count(
        &mut self,
        labels: Vec<String>,
        var: Place,
        range: Range,
        body: Block,
        span: auspex_system::Span,
        out: &mut Block,
    ) {
        let made = |kind: Kind, text: String| Stmt { labels: Vec::new(), kind, span, text };
        let (var, low, more, mut inner) = match range {
            Range::Between(low, high) => {
                let more = binary(PlainOp::LessEqual, Expr::Place(var.clone()), high);
                (var, low, more, Vec::new())
            }
            Range::Indices(length) => {
                let high = Expr::Number(length as i32 - 1);
                let more = binary(PlainOp::LessEqual, Expr::Place(var.clone()), high);
                (var, Expr::Number(0), more, Vec::new())
            }
            Range::Messages { chan, fields } => {
                let counter = self.counter(span);
                let length = Expr::Len(chan.clone());
                let more = binary(PlainOp::Less, Expr::Place(counter.clone()), length);
                let args = fields.iter().cloned().map(Arg::Store).collect();
                let values = fields.into_iter().map(Expr::Place).collect();
                let get = Kind::Receive { chan: chan.clone(), args, random: false, keep: false };
                let put = Kind::Send { chan, args: values, sorted: false };
                let around = vec![
                    made(get, "for: next message".into()),
                    made(put, "for: put it back".into()),
                ];
                (counter, Expr::Number(0), more, around)
            }
        };
        let set = Kind::Assign { target: var.clone(), value: low };
        out.push(Stmt { labels, ..made(set, "for".into()) });
        let mut turn = vec![made(Kind::Condition(more), "for".into())];
        turn.append(&mut inner);
        turn.extend(body);
        turn.push(made(Kind::Increment { target: var, by: 1 }, "for".into()));
        let leave = vec![made(Kind::Else, "else".into()), made(Kind::Break, "break".into())];
        out.push(made(Kind::Do(vec![turn, leave]), "for".into()));
    }

    fn counter(&mut self, span: auspex_system::Span) -> Place {
        let id = VarId(self.spec.variables.len());
        let name = format!("_for{}", self.added.len());
        self.spec.variables.push(Variable {
            ident: name.clone(),
            name,
            ty: Type::Short,
            length: None,
            initial: Initial::Zero,
            is_late: false,
            owner: Some(self.process),
            is_parameter: false,
            model_only: false,
            span,
        });
        self.added.push(id);
        Place { var: id, path: Vec::new(), ty: Type::Short, span }
    }
}

fn binary(op: PlainOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}

/// Is it a declaration in Rust? Those stand at the beginning of the process.
pub fn is_declaration(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, Kind::Code(code) if code.primitive == Primitive::Decl)
}
