//! Globals that one process changes and another one uses.

use std::collections::HashMap;

use auspex_promela::ast::{
    Decl, Expr, ExprKind, ForRange, Item, Proctype, Program, RecvArg, Stmt, StmtKind, TypeName,
    VarRef,
};
use auspex_system::{Diagnostic, Span};

use super::implemented;
use super::uses::{each_expr, each_stmt};

/// Where a process first writes and first reads each global.
#[derive(Default)]
struct Access {
    writes: HashMap<String, Span>,
    reads: HashMap<String, Span>,
}

pub fn shared_globals(program: &Program) -> Vec<Diagnostic> {
    let accesses: Vec<(&Proctype, Access)> =
        implemented(program).map(|process| (process, access(process))).collect();
    let globals = program.items.iter().filter_map(|item| match item {
        Item::Global(decl) if !matches!(decl.ty, TypeName::Chan) => Some(decl),
        _ => None,
    });
    let vars = globals.flat_map(|decl| &decl.vars);
    let warning = |(name, place): (&str, Span)| warning(name, place, &accesses);
    vars.filter_map(|var| warning((&var.name.text, var.name.span))).collect()
}

fn warning(name: &str, place: Span, accesses: &[(&Proctype, Access)]) -> Option<Diagnostic> {
    let writers = accesses
        .iter()
        .filter_map(|(process, access)| access.writes.get(name).map(|span| (*process, *span)));
    for (writer, written) in writers {
        let user = accesses.iter().find_map(|(process, access)| {
            let used = access.reads.get(name).or(access.writes.get(name))?;
            let is_other = process.name.text != writer.name.text || has_several(process);
            is_other.then_some((&process.name.text, *used))
        });
        let Some((user, used)) = user else { continue };
        let message = format!("the processes do not share `{name}`");
        let hint = "every program has a copy of its own: hand the value over as an argument of `run` or in a message, or generate with --threads";
        return Some(
            Diagnostic::warning(place, message)
                .note(written, format!("`{}` changes its copy here", writer.name.text))
                .note(used, format!("`{user}` uses its copy here"))
                .hint(hint),
        );
    }
    None
}

/// Is more than one of them started with the program?
fn has_several(process: &Proctype) -> bool {
    let count = process.active.as_ref().and_then(|active| active.count.as_ref());
    count.is_some_and(|count| !matches!(count.kind, ExprKind::Number(..=1)))
}

fn access(process: &Proctype) -> Access {
    let mut access = Access::default();
    let mut locals: Vec<&Decl> = process.params.iter().collect();
    each_stmt(&process.body, false, &mut |stmt| {
        if let StmtKind::Decl(decl) = &stmt.kind {
            locals.push(decl);
        }
        for var in written(stmt) {
            access.writes.entry(var.name.text.clone()).or_insert(stmt.span);
        }
        each_expr(stmt, &mut |expr: &Expr| {
            if let ExprKind::Name(var) = &expr.kind {
                access.reads.entry(var.name.text.clone()).or_insert(expr.span);
            }
        });
    });
    // Names of locals are those of locals, wherever they are declared.
    for var in locals.iter().flat_map(|decl| &decl.vars) {
        access.writes.remove(&var.name.text);
        access.reads.remove(&var.name.text);
    }
    access
}

fn written(stmt: &Stmt) -> Vec<&VarRef> {
    match &stmt.kind {
        StmtKind::Assign { target, .. } | StmtKind::Increment { target, .. } => vec![target],
        StmtKind::Select { var, .. } => vec![var],
        StmtKind::For { var, range: ForRange::Between(..), .. } => vec![var],
        StmtKind::For { var, range: ForRange::In(array), .. } => vec![var, array],
        StmtKind::Receive { args, .. } => args
            .iter()
            .filter_map(|arg| match arg {
                RecvArg::Name(var) => Some(var),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}
