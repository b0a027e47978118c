//! What was found wrong, up to the number that a person will read.

use auspex_system::{Diagnostic, Severity};

const MAX_ERRORS: usize = 20;

#[derive(Debug, Default)]
pub struct Report {
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
}

impl Report {
    /// Takes an error, unless there are enough or it is at the place of the one before.
    pub fn error(&mut self, diagnostic: Diagnostic) {
        debug_assert_eq!(diagnostic.severity, Severity::Error);
        let again = self.errors.iter().any(|e| {
            e.span == diagnostic.span && (e.span.is_some() || e.message == diagnostic.message)
        });
        if !again && !self.is_full() {
            self.errors.push(diagnostic);
        }
    }

    pub fn warning(&mut self, diagnostic: Diagnostic) {
        if self.warnings.len() < MAX_ERRORS {
            self.warnings.push(diagnostic);
        }
    }

    pub fn is_full(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }
}
