//! Tests of the preprocessor and the parser.

mod constructs;
mod diagnostics;
mod extended;
mod fuzz;
mod limits;
mod mutate;
mod places;
mod preprocessor;
mod render;
mod snippets;
mod spin;

use auspex_promela::parser::{Options, Parsed, parse_text};
use auspex_system::{Diagnostic, SourceMap};

fn parse(text: &str) -> (SourceMap, Result<Parsed, Vec<Diagnostic>>) {
    let mut map = SourceMap::default();
    let result = parse_text(&mut map, "test.pml", text, &Options::default());
    (map, result)
}

/// The program as short text; panics with the errors when it is refused.
fn rendered(text: &str) -> String {
    match parse(text) {
        (_, Ok(parsed)) => render::program(&parsed.program),
        (map, Err(errors)) => panic!("{text}\nis refused:\n{}", listed(&map, &errors)),
    }
}

/// `line:column: message`, one line each.
fn listed(map: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let line = |diagnostic: &Diagnostic| match diagnostic.span.map(|span| map.location(span)) {
        Some(place) => format!("{}:{}: {}", place.line, place.column, diagnostic.message),
        None => diagnostic.message.clone(),
    };
    diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The statements of `init { ... }` around `body`, as short text.
fn body(body: &str) -> String {
    let text = rendered(&format!("init {{ {body} }}"));
    let inner = text.strip_prefix("init() { ").and_then(|rest| rest.strip_suffix(" }"));
    inner.unwrap_or_else(|| panic!("not an init: {text}")).to_owned()
}
