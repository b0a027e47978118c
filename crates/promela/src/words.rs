//! The words of extended Promela. In plain Promela they are ordinary names (but for those of Spin's embedded C).

use crate::ast::{Language, Primitive};

/// `promela_MS { ... }`: in the model only.
pub const MODEL_ONLY: &str = "promela_MS";
/// `env proctype`: a process of the model only.
pub const ENVIRONMENT: &str = "env";

/// A word that text in another language follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeWord {
    pub primitive: Primitive,
    pub language: Language,
    /// `_IS`: in the implementation only.
    pub specific: bool,
}

pub fn code_word(text: &str) -> Option<CodeWord> {
    let (language, rest) = match text.strip_prefix("c_") {
        Some(rest) => (Language::C, rest),
        None => (Language::Rust, text.strip_prefix("rust_")?),
    };
    let (specific, name) = match rest.strip_suffix("_IS") {
        Some(name) => (true, name),
        None => (false, rest),
    };
    let primitive = match name {
        "code" => Primitive::Code,
        "expr" => Primitive::Expr,
        "decl" => Primitive::Decl,
        "state" if !specific => Primitive::State,
        "track" if !specific => Primitive::Track,
        _ => return None,
    };
    // Spin knows no Rust: there is no plain `rust_code`.
    (specific || language == Language::C).then_some(CodeWord { primitive, language, specific })
}
