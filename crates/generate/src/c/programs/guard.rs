//! When an option can be taken.

use crate::tree::*;

/// What an option begins with.
#[derive(Clone, Copy)]
pub enum Guard<'a> {
    /// It can be taken at any time.
    Always,
    Else,
    When(&'a Expr),
    /// A selection or repetition of its own: its options are options of the outer one.
    Choice(&'a [Block]),
}

/// A way to enter a choice: the statement that decides, and the option whose guard it is, however deep.
#[derive(Clone, Copy)]
pub struct Head<'a> {
    pub guard: Guard<'a>,
    pub option: &'a Block,
}

/// The guard of an option, and the statement that it is; none if there is no statement at all, or if that what
/// decides is in the model only.
pub fn guard(block: &Block) -> (Guard<'_>, Option<&Stmt>) {
    let mut after_model = false;
    for stmt in block {
        let has_code = match &stmt.kind {
            Kind::ModelOnly => {
                after_model = true;
                continue;
            }
            // The model does not see it: what decides there comes behind it.
            Kind::Code(code) if code.specific && !after_model => continue,
            Kind::Condition(expr) => contains_code(expr),
            _ => false,
        };
        // Behind `promela_MS` only its twin can be the guard.
        if after_model && !has_code {
            return (Guard::Always, None);
        }
        return match &stmt.kind {
            Kind::Condition(Expr::Run { .. }) => (Guard::Always, None),
            Kind::Condition(expr) => (Guard::When(expr), Some(stmt)),
            Kind::Else => (Guard::Else, Some(stmt)),
            Kind::If(options) | Kind::Do(options) => (Guard::Choice(options), Some(stmt)),
            Kind::Atomic(body) | Kind::DStep(body) | Kind::Block(body) => guard(body),
            Kind::Unless { main, .. } => guard(main),
            _ => (Guard::Always, None),
        };
    }
    (Guard::Always, None)
}

/// All ways to enter a choice, those of choices that begin its options included.
pub fn heads(options: &[Block]) -> Vec<Head<'_>> {
    options.iter().flat_map(option_heads).collect()
}

pub fn option_heads(option: &Block) -> Vec<Head<'_>> {
    match guard(option).0 {
        Guard::Choice(options) => heads(options),
        guard => vec![Head { guard, option }],
    }
}

/// May the value change although the process does nothing?
pub fn contains_code(expr: &Expr) -> bool {
    let mut found = false;
    expr.visit(&mut |inner| found |= matches!(inner, Expr::Code(_)));
    found
}

pub fn any_code(heads: &[Head<'_>]) -> bool {
    heads.iter().any(|head| matches!(head.guard, Guard::When(expr) if contains_code(expr)))
}
