//! Walks through statements and expressions.

use auspex_promela::ast::{
    Code, Expr, ExprKind, ForRange, Init, RecvArg, Sequence, Stmt, StmtKind, VarRef,
};

/// Is there a block of code like that, in the model or not?
pub fn any_code(sequence: &Sequence, wanted: &dyn Fn(&Code) -> bool) -> bool {
    let mut found = false;
    each_stmt(sequence, true, &mut |stmt| {
        found |= matches!(&stmt.kind, StmtKind::Code(code) if wanted(code));
        each_expr(stmt, &mut |expr| {
            found |= matches!(&expr.kind, ExprKind::Code(code) if wanted(code));
        });
    });
    found
}

/// Visits all statements, those inside of others too; `with_model`: what is in the model only as well.
pub fn each_stmt<'s>(sequence: &'s Sequence, with_model: bool, visit: &mut dyn FnMut(&'s Stmt)) {
    for stmt in &sequence.stmts {
        inner_stmts(stmt, with_model, visit);
    }
}

fn inner_stmts<'s>(stmt: &'s Stmt, with_model: bool, visit: &mut dyn FnMut(&'s Stmt)) {
    visit(stmt);
    match &stmt.kind {
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.iter().for_each(|option| each_stmt(option, with_model, visit));
        }
        StmtKind::Atomic(body)
        | StmtKind::DStep(body)
        | StmtKind::Block(body)
        | StmtKind::For { body, .. }
        | StmtKind::Inline { body, .. } => each_stmt(body, with_model, visit),
        StmtKind::ModelOnly(body) if with_model => each_stmt(body, with_model, visit),
        StmtKind::Unless { main, escape } => {
            inner_stmts(main, with_model, visit);
            inner_stmts(escape, with_model, visit);
        }
        _ => {}
    }
}

/// Visits the expressions of one statement, but not those of statements in it.
pub fn each_expr<'s>(stmt: &'s Stmt, visit: &mut dyn FnMut(&'s Expr)) {
    match &stmt.kind {
        StmtKind::Decl(decl) => {
            for var in &decl.vars {
                match &var.init {
                    Some(Init::Expr(expr)) => expr_in(expr, visit),
                    Some(Init::List(list)) => list.iter().for_each(|expr| expr_in(expr, visit)),
                    _ => {}
                }
            }
        }
        StmtKind::For { var, range, .. } => {
            indices(var, visit);
            match range {
                ForRange::Between(low, high) => {
                    expr_in(low, visit);
                    expr_in(high, visit);
                }
                ForRange::In(var) => indices(var, visit),
            }
        }
        StmtKind::Select { var, low, high } => {
            indices(var, visit);
            expr_in(low, visit);
            expr_in(high, visit);
        }
        StmtKind::Send { chan, args, .. } => {
            indices(chan, visit);
            args.iter().for_each(|expr| expr_in(expr, visit));
        }
        StmtKind::Receive { chan, args, .. } => {
            indices(chan, visit);
            args.iter().for_each(|arg| receive_arg(arg, visit));
        }
        StmtKind::Assign { target, value } => {
            indices(target, visit);
            expr_in(value, visit);
        }
        StmtKind::Increment { target, .. } => indices(target, visit),
        StmtKind::Printf { args, .. } => args.iter().for_each(|expr| expr_in(expr, visit)),
        StmtKind::Assert(expr) | StmtKind::Printm(expr) | StmtKind::Expr(expr) => {
            expr_in(expr, visit);
        }
        _ => {}
    }
}

fn receive_arg<'s>(arg: &'s RecvArg, visit: &mut dyn FnMut(&'s Expr)) {
    match arg {
        RecvArg::Name(var) => indices(var, visit),
        RecvArg::Constant(expr) | RecvArg::Eval(expr) => expr_in(expr, visit),
    }
}

fn indices<'s>(var: &'s VarRef, visit: &mut dyn FnMut(&'s Expr)) {
    let mut next = Some(var);
    while let Some(var) = next {
        if let Some(index) = &var.index {
            expr_in(index, visit);
        }
        next = var.field.as_deref();
    }
}

pub fn expr_in<'s>(expr: &'s Expr, visit: &mut dyn FnMut(&'s Expr)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Name(var) | ExprKind::Len(var) | ExprKind::Test(_, var) => indices(var, visit),
        ExprKind::Unary(_, a)
        | ExprKind::Enabled(a)
        | ExprKind::PcValue(a)
        | ExprKind::GetPriority(a) => expr_in(a, visit),
        ExprKind::Binary(_, a, b) | ExprKind::SetPriority(a, b) => {
            expr_in(a, visit);
            expr_in(b, visit);
        }
        ExprKind::Conditional(a, b, c) => {
            expr_in(a, visit);
            expr_in(b, visit);
            expr_in(c, visit);
        }
        ExprKind::Poll { chan, args, .. } => {
            indices(chan, visit);
            args.iter().for_each(|arg| receive_arg(arg, visit));
        }
        ExprKind::Run { args, .. } => args.iter().for_each(|arg| expr_in(arg, visit)),
        _ => {}
    }
}

/// What a statement does to a channel, or asks of one, if it does.
pub fn channel_operation(stmt: &Stmt) -> Option<&'static str> {
    match &stmt.kind {
        StmtKind::Send { .. } => return Some("a send"),
        StmtKind::Receive { .. } => return Some("a receive"),
        _ => {}
    }
    let mut asks = false;
    each_expr(stmt, &mut |expr| {
        let is_question =
            matches!(expr.kind, ExprKind::Poll { .. } | ExprKind::Len(_) | ExprKind::Test(..));
        asks |= is_question;
    });
    asks.then_some("a question to a channel")
}
