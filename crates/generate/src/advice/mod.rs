//! What may surprise somebody who runs the program: places where it does less, or something else, than the model.

mod blocking;
mod exclusive;
mod known;
mod shared;
mod uses;

use auspex_promela::ast::{
    Code, Expr, ExprKind, Item, Language, Primitive, Proctype, Program, Sequence, Stmt, StmtKind,
};
use auspex_system::{Diagnostic, SourceMap};

use crate::Target;
use known::Known;

/// Warnings about the implementation that a program is to become; their places are in the files of the map.
pub fn advice(program: &Program, _map: &SourceMap, target: &Target) -> Vec<Diagnostic> {
    let known = Known::of(program);
    let mut advisor = Advisor { known: &known, target, warnings: Vec::new() };
    for process in implemented(program) {
        advisor.process(process);
    }
    if !target.threads {
        advisor.warnings.extend(shared::shared_globals(program));
    }
    let mut warnings = advisor.warnings;
    // In the order of the file, and once for what an inline says at every call.
    warnings.sort_by_key(|warning| warning.span.map(|span| (span.file, span.start, span.end)));
    warnings.dedup_by(|a, b| a.span == b.span && a.message == b.message);
    warnings
}

/// Does it contain C that is of the model too, so that only Spin can check it?
pub fn has_plain_code(program: &Program) -> bool {
    fn in_items(items: &[Item]) -> bool {
        items.iter().any(|item| match item {
            Item::Code(code) => !code.specific,
            Item::ModelOnly(items) => in_items(items),
            Item::Proctype(process) => uses::any_code(&process.body, &|code| !code.specific),
            _ => false,
        })
    }
    in_items(&program.items)
}

/// The processes that become programs or threads.
fn implemented(program: &Program) -> impl Iterator<Item = &Proctype> {
    program.items.iter().filter_map(|item| match item {
        Item::Proctype(process) if !process.env => Some(process),
        _ => None,
    })
}

struct Advisor<'a> {
    known: &'a Known<'a>,
    target: &'a Target,
    warnings: Vec<Diagnostic>,
}

impl Advisor<'_> {
    fn process(&mut self, process: &Proctype) {
        if let Some(condition) = &process.provided
            && !self.target.threads
        {
            self.warnings.push(
                Diagnostic::warning(condition.span, "`provided` means nothing to the program")
                    .label("programs do not wait for each other to move"),
            );
        }
        self.sequence(&process.body, process, false);
    }

    /// `is_option`: its first statement is the condition of an option.
    fn sequence(&mut self, sequence: &Sequence, process: &Proctype, is_option: bool) {
        self.twins(sequence);
        let mut is_guard = is_option;
        for stmt in &sequence.stmts {
            self.stmt(stmt, process, is_guard);
            is_guard &= matches!(stmt.kind, StmtKind::Decl(_) | StmtKind::ModelOnly(_));
        }
    }

    fn stmt(&mut self, stmt: &Stmt, process: &Proctype, is_guard: bool) {
        if !self.target.threads {
            self.channel_operation(stmt);
            self.others(stmt);
            if !is_guard {
                self.waiting(stmt);
            }
        }
        if let StmtKind::Do(options) = &stmt.kind {
            self.busy(options);
        }
        match &stmt.kind {
            StmtKind::If(options) | StmtKind::Do(options) => {
                if !self.target.threads {
                    self.choice(stmt, options, process);
                }
                options.iter().for_each(|option| self.sequence(option, process, true));
            }
            StmtKind::Atomic(body)
            | StmtKind::DStep(body)
            | StmtKind::Block(body)
            | StmtKind::Inline { body, .. } => self.sequence(body, process, is_guard),
            StmtKind::For { body, .. } => self.sequence(body, process, false),
            StmtKind::Unless { main, escape } => {
                self.stmt(main, process, is_guard);
                // What ends the main part may wait as long as that goes on.
                self.stmt(escape, process, true);
            }
            _ => {}
        }
    }

    /// What is in the model only, and what the program does instead, stand side by side.
    fn twins(&mut self, sequence: &Sequence) {
        let is_pair = |stmt: &Stmt| {
            matches!(stmt.kind, StmtKind::ModelOnly(_)) || self.is_implementation(stmt)
        };
        let mut rest = sequence.stmts.as_slice();
        let mut alone = Vec::new();
        while let Some(start) = rest.iter().position(is_pair) {
            let length = rest[start..].iter().take_while(|stmt| is_pair(stmt)).count();
            let run = &rest[start..start + length];
            if !run.iter().any(|stmt| self.is_implementation(stmt)) {
                alone.extend(run.iter().filter(|stmt| has_effect(stmt)));
            }
            rest = &rest[start + length..];
        }
        let word = self.code_word();
        self.warnings.extend(alone.into_iter().map(|stmt| {
            Diagnostic::warning(stmt.span, "the program has nothing in place of this")
                .label("in the model only")
                .hint(format!("say beside it what the program does: `{word} {{ ... }}`, empty if that is nothing"))
        }));
    }

    fn code_word(&self) -> &'static str {
        match self.target.language {
            Language::C => "c_code_IS",
            Language::Rust => "rust_code_IS",
        }
    }

    /// Code for the program alone, in its language; or the call of an inline that has some.
    fn is_implementation(&self, stmt: &Stmt) -> bool {
        let is_ours = |code: &Code| code.specific && code.language == self.target.language;
        match &stmt.kind {
            StmtKind::Code(code) => is_ours(code) && code.primitive != Primitive::Track,
            StmtKind::Expr(Expr { kind: ExprKind::Code(code), .. }) => is_ours(code),
            StmtKind::Inline { body, .. } => uses::any_code(body, &is_ours),
            _ => false,
        }
    }

    fn channel_operation(&mut self, stmt: &Stmt) {
        let Some(what) = uses::channel_operation(stmt) else { return };
        let word = self.code_word();
        self.warnings.push(
            Diagnostic::warning(stmt.span, format!("{what} means nothing to the program"))
                .label("programs have no channels of their own")
                .hint(format!("put it into `promela_MS {{ ... }}` and say beside it, in `{word} {{ ... }}`, how the program does it; or generate with --threads, where channels are real")),
        );
    }
}

impl Advisor<'_> {
    /// What a process of the model knows of all others.
    fn others(&mut self, stmt: &Stmt) {
        let word = self.code_word().replace("code", "expr");
        uses::each_expr(stmt, &mut |expr| {
            let name = match &expr.kind {
                ExprKind::Timeout => "timeout",
                ExprKind::Name(var) if var.name.text == "_nr_pr" => "_nr_pr",
                _ => return,
            };
            self.warnings.push(
                Diagnostic::warning(expr.span, format!("`{name}` means nothing to the program"))
                    .label("no program knows of all others: this statement never runs")
                    .hint(format!("put it into `promela_MS {{ ... }}` and say beside it, in `{word} {{ ... }}`, what the program waits for; or generate with --threads")),
            );
        });
    }
}

/// Does what is in the model only do anything that a program could miss?
fn has_effect(stmt: &Stmt) -> bool {
    let StmtKind::ModelOnly(body) = &stmt.kind else { return false };
    body.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Decl(_)
        | StmtKind::Exclusive { .. }
        | StmtKind::Assert(_)
        | StmtKind::Printf { .. }
        | StmtKind::Printm(_)
        | StmtKind::Empty => false,
        StmtKind::Expr(expr) => !matches!(expr.kind, ExprKind::Number(1)),
        _ => true,
    })
}
