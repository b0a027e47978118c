//! What others see of a process: the function that says what it can do where it waits, and the variables that this reads.

use super::super::text::Writer;
use super::super::{Printer, names, types};
use crate::tree::*;
use auspex_promela::ast::Primitive;
use auspex_system::Diagnostic;
use std::collections::HashSet;

pub struct View<'a> {
    printer: Printer<'a>,
    process: &'a Process,
    /// Those that are read.
    variables: Vec<VarId>,
}

impl<'a> View<'a> {
    /// `looks` is the text of what can be done at all places.
    pub fn new(
        printer: &Printer<'a>,
        process: &'a Process,
        looks: &str,
        errors: &mut Vec<Diagnostic>,
    ) -> Self {
        let used = identifiers(looks);
        let spec = printer.spec;
        let all = process.params.iter().chain(&process.locals).copied();
        let (own, of_code): (Vec<VarId>, Vec<VarId>) = all
            .filter(|id| used.contains(names::variable(spec, *id).as_str()))
            .partition(|id| !spec.variable(*id).model_only);
        let mut declared = HashSet::new();
        declarations(&process.body, &mut declared);
        let is_known = |name: &str| own.iter().any(|id| names::variable(spec, *id) == name);
        let hidden = declared.iter().any(|name| used.contains(name.as_str()) && !is_known(name));
        if hidden || !of_code.is_empty() {
            let message = "a condition reads a variable that C code of the process declares";
            errors.push(Diagnostic::error(process.span, message).hint(
                "with --threads other processes have to see it: declare it outside of the process",
            ));
        }
        View { printer: *printer, process, variables: own }
    }

    fn name(&self) -> String {
        format!("ax_view_{}", self.process.name)
    }

    fn function(&self) -> String {
        format!("ax_looks_{}", self.process.name)
    }

    /// The type of what others see, and the function that looks.
    pub fn looks(&self, looks: &str, out: &mut Writer) {
        let spec = self.printer.spec;
        if !self.variables.is_empty() {
            out.open(format!("struct {} {{", self.name()));
            for id in &self.variables {
                let variable = spec.variable(*id);
                let pointer = format!("*{}", names::variable(spec, *id));
                out.line(format!(
                    "const {};",
                    types::declarator(spec, variable.ty, &pointer, None)
                ));
            }
            out.close("};");
            out.line("");
        }
        out.line(format!("static void {}(ax_process *ax)", self.function()));
        out.open("{");
        if !self.variables.is_empty() {
            out.line(format!("const struct {} *ax_my = ax->view;", self.name()));
        }
        for id in &self.variables {
            let variable = spec.variable(*id);
            let name = names::variable(spec, *id);
            let (declared, star) = match variable.length {
                None => (name.clone(), "*"),
                Some(_) => (format!("*{name}"), ""),
            };
            let declarator = types::declarator(spec, variable.ty, &declared, None);
            out.line(format!("const {declarator} = {star}ax_my->{name};"));
        }
        out.open("switch (ax->at) {");
        looks.lines().for_each(|line| out.raw(line));
        out.close("}");
        out.close("}");
        out.line("");
    }

    /// Shows them.
    pub fn begin(&self, out: &mut Writer) {
        let (spec, function) = (self.printer.spec, self.function());
        if self.variables.is_empty() {
            return out.line(format!("ax_begin(ax, {function}, NULL);"));
        }
        let address = |id: &VarId| {
            let name = names::variable(spec, *id);
            if spec.variable(*id).length.is_some() { name } else { format!("&{name}") }
        };
        let all: Vec<String> = self.variables.iter().map(address).collect();
        out.line(format!("const struct {} ax_my = {{{}}};", self.name(), all.join(", ")));
        out.line(format!("ax_begin(ax, {function}, &ax_my);"));
    }
}

/// The names in some text of C, but those of fields.
fn identifiers(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match c {
            '"' => string_length(rest),
            _ if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => c.len_utf8(),
        };
        let word = &rest[..length];
        let is_field = before == '.' || before == '>';
        if is_word(c) && !c.is_ascii_digit() && !is_field {
            found.insert(word.to_string());
        }
        // `a > b` is no field.
        before = match (c, before) {
            ('>', '-') | ('.', _) => c,
            ('>', _) => ' ',
            _ => c,
        };
        rest = &rest[length..];
    }
    found
}

/// The length of the string that the text begins with.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// The names that C code of a process may declare.
fn declarations(block: &Block, out: &mut HashSet<String>) {
    for stmt in block {
        if let Kind::Code(code) = &stmt.kind
            && code.primitive == Primitive::Decl
        {
            out.extend(identifiers(&code.text).into_iter().filter(|name| !names::is_taken(name)));
        }
        stmt.kind.blocks().into_iter().for_each(|block| declarations(block, out));
    }
}

#[cfg(test)]
mod tests {
    use super::identifiers;

    #[test]
    fn names_are_found_but_not_in_strings_and_not_those_of_fields() {
        let found = identifiers("if (a.b > c->d && _e3[4] == f(\"g \\\" h\")) i;");
        let mut found: Vec<&str> = found.iter().map(String::as_str).collect();
        found.sort_unstable();
        assert_eq!(found, ["_e3", "a", "c", "f", "i", "if"]);
    }
}
