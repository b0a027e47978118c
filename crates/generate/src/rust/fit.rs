//! Code of the specification in Rust: names of globals mean the fields of `g`, names that Rust does not allow end in `_`.

use super::declare::global_variables;
use super::names::name;
use crate::resolve::code::{is_name_start, token_length};
use crate::tree::*;
use auspex_promela::ast::Language;

pub fn fit(spec: &Spec, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.trim_matches('\n').trim_end();
    if !rest.contains('\n') {
        rest = rest.trim();
    }
    let mut before = String::new();
    while let Some(first) = rest.chars().next() {
        let (token, behind) = rest.split_at(token_length(rest, first, Language::Rust));
        rest = behind;
        let is_own = is_name_start(first) && !is_part(&before) && !is_label(behind);
        out.push_str(&if is_own { meant(spec, token) } else { token.to_string() });
        if !first.is_whitespace() {
            // Two characters make `::` and `..`.
            let last = before.chars().last().filter(|c| matches!(c, ':' | '.'));
            before = last.into_iter().collect::<String>() + token;
        }
    }
    out
}

/// Behind `.`, `::` or `let` stands something else.
fn is_part(before: &str) -> bool {
    (before.ends_with('.') && !before.ends_with(".."))
        || before.ends_with("::")
        || matches!(before.trim_start_matches([':', '.']), "let" | "mut" | "fn" | "struct")
}

/// `name: value` in a record, `name::path`, `name!` of a macro.
fn is_label(behind: &str) -> bool {
    let behind = behind.trim_start();
    behind.starts_with(':') || (behind.starts_with('!') && !behind.starts_with("!="))
}

fn meant(spec: &Spec, token: &str) -> String {
    if global_variables(spec).any(|id| spec.variable(id).ident == token) {
        return format!("g.{}", name(token));
    }
    match spec.variables.iter().any(|variable| variable.ident == token) {
        true => name(token),
        false => token.to_string(),
    }
}
