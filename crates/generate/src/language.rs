//! A specification for one language: what is written in another is left out.

use crate::tree::*;
use auspex_promela::ast::Language;

/// Twins of a statement in several languages may stand one after the other; only one is wanted.
pub fn in_language(spec: &Spec, language: Language) -> Spec {
    let mut spec = spec.clone();
    spec.globals.retain(|global| match global {
        Global::Code(code) => code.language == language,
        Global::Variable(_) => true,
    });
    for record in &mut spec.records {
        for item in &mut record.items {
            // The numbers of the others must stay.
            if let RecordItem::Code(code) = item
                && code.language != language
            {
                code.text.clear();
            }
        }
    }
    for process in &mut spec.processes {
        keep(&mut process.body, language);
    }
    spec
}

fn keep(block: &mut Block, language: Language) {
    block.retain_mut(|stmt| {
        let is_foreign = match &stmt.kind {
            Kind::Code(code) | Kind::Condition(Expr::Code(code)) => code.language != language,
            _ => false,
        };
        if is_foreign && !stmt.labels.is_empty() {
            stmt.kind = Kind::ModelOnly;
        }
        !is_foreign || !stmt.labels.is_empty()
    });
    for stmt in block {
        for inner in stmt.kind.blocks_mut() {
            keep(inner, language);
        }
    }
}
